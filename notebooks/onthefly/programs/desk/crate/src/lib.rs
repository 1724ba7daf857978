use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

#[derive(Clone, Copy)]
struct Customer {
    arrival: f64,
    service: f64,
}

enum Kind {
    Arrives,
    Leaves,
}

struct Event {
    time: f64,
    number: usize,
    kind: Kind,
    customer: Customer,
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time.then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

struct Desk {
    free: usize,
    room: usize,
    queue: VecDeque<Customer>,
    events: BinaryHeap<Reverse<Event>>, // the earliest on top
    planned: usize,
    served: usize,
    waited: f64,
}

impl Desk {
    fn plan(&mut self, time: f64, kind: Kind, customer: Customer) {
        let number = self.planned;
        self.events.push(Reverse(Event { time, number, kind, customer }));
        self.planned += 1;
    }

    fn arrive(&mut self, now: f64, customer: Customer) {
        if self.free > 0 {
            self.free -= 1;
            self.serve(now, customer);
        } else if self.queue.len() < self.room {
            self.queue.push_back(customer);
        }
    }

    fn serve(&mut self, now: f64, customer: Customer) {
        self.served += 1;
        self.waited += now - customer.arrival;
        self.plan(now + customer.service, Kind::Leaves, customer);
    }

    fn leave(&mut self, now: f64) {
        match self.queue.pop_front() {
            Some(customer) => self.serve(now, customer),
            None => self.free += 1,
        }
    }

    fn expect(&mut self, next: Option<Customer>) {
        if let Some(customer) = next {
            self.plan(customer.arrival, Kind::Arrives, customer);
        }
    }

    fn run(&mut self, mut customers: impl Iterator<Item = Customer>) {
        self.expect(customers.next());
        while let Some(Reverse(event)) = self.events.pop() {
            match event.kind {
                Kind::Arrives => {
                    self.arrive(event.time, event.customer);
                    self.expect(customers.next());
                }
                Kind::Leaves => self.leave(event.time),
            }
        }
    }
}

/// Return the mean waiting time and the number of customers served.
#[pyfunction]
fn simulate(
    py: Python,
    arrivals: PyBuffer<f64>,
    services: PyBuffer<f64>,
    servers: usize,
    room: usize,
) -> PyResult<(f64, usize)> {
    let (arrivals, services) = (arrivals.to_vec(py)?, services.to_vec(py)?);
    let mut desk = Desk {
        free: servers,
        room,
        queue: VecDeque::new(),
        events: BinaryHeap::new(),
        planned: 0,
        served: 0,
        waited: 0.0,
    };
    let pairs = arrivals.into_iter().zip(services);
    desk.run(pairs.map(|(arrival, service)| Customer { arrival, service }));
    Ok((desk.waited / desk.served as f64, desk.served))
}

#[pymodule]
fn desk_rust(_py: Python, module: &PyModule) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(simulate, module)?)
}
