// Runs an ONNX file in ONNX Runtime Web, as WebAssembly on one thread.
//
// node onnx_in_node.cjs FILE SHAPE < IMAGES
//   FILE    the model, of one input and one output
//   SHAPE   of the images, as 2000,16,16,1
//   IMAGES  float32, little-endian
//
// Writes {"node", "runtime", "scores"} as JSON; of an error, its message.

const { readFileSync } = require("fs");

async function main(file, shape) {
  const ort = require("onnxruntime-web");
  ort.env.wasm.numThreads = 1;
  const options = { executionProviders: ["wasm"] };
  const session = await ort.InferenceSession.create(readFileSync(file), options);
  const images = new Float32Array(new Uint8Array(readFileSync(0)).buffer);
  const dims = shape.split(",").map(Number);
  const found = await session.run({
    [session.inputNames[0]]: new ort.Tensor("float32", images, dims),
  });
  const scores = Array.from(found[session.outputNames[0]].data);
  const { node } = process.versions;
  console.log(JSON.stringify({ node, runtime: ort.env.versions.web, scores }));
}

main(...process.argv.slice(2)).catch((error) => {
  console.error(error.message.split("\n")[0]);
  process.exitCode = 1;
});
