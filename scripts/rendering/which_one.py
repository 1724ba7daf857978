"""The page "Which one should I choose?", from what the machines measured."""

import templates
from onthefly.experiments.choice.reasons import REASONS
from onthefly.measure.quantity import INTERVAL
from onthefly.predict import measurements, prediction
from onthefly.terminal.words import listed
from rendering.choice import calculator, examples, regions, tested, winner_map

PAGE = "book/which_one.md"
FEW, MANY = (10, 1), (100_000, 1000)  # elements, calls


def page(stamps):
    """Return the page as Markdown.

    stamps  {page's name: stamp}, in the book's order
    """
    runs = {stamp["chapter"]: stamp["machine"] for stamp in stamps.values()}
    about = {"page": prediction.PAGE, "pages": runs}
    machines = measurements.usable()
    if not machines:
        return templates.render(PAGE, **about, problems=[])
    here = measurements.default(machines, runs.get(prediction.PAGE))
    every = {
        name: prediction.choices(results)
        for name, results in machines.items()
    }
    own = every[here]
    return templates.render(
        PAGE,
        **about,
        origin=machines[here].origin,
        measured_here=prediction.PAGE in runs
        and measurements.measured_here(here),
        few=_winners(own, *FEW),
        many=_winners(own, *MANY),
        calculator=calculator.form(machines, every, here),
        example_loop=examples.loop(every, here),
        example_call=examples.call(own),
        problems=list(_problems(every, here)),
        tested=tested.values(own),
        interval=INTERVAL,
    )


def _winners(own, n, calls):
    """Return size, calls, and who wins for which problems, grouped."""
    groups = {}
    for name, choices in own.items():
        best = choices.winner(n, calls=calls, device=False)
        label = "not measured" if best.beyond else regions.winner(best)
        clear = not best.beyond and not best.rivals
        groups.setdefault(f"**{label}**" if clear else label, []).append(name)
    order = sorted(groups, key=lambda label: not label.startswith("**"))
    text = "; ".join(f"{label}: {listed(groups[label])}" for label in order)
    return {"size": f"{n:,}", "calls": f"{calls:,}", "winners": text}


def because(reason, times):
    """Return why a problem is no faster, "" where the data do not say so."""
    borne_out = reason.holds(reason.ratio(times))
    return reason.sentence(times) if borne_out else ""


def _problems(every, here):
    """Yield the template's values for each problem."""
    own = every[here]
    cells = {name: regions.regions(choices) for name, choices in own.items()}
    names = regions.ahead(cells)
    for name, choices in own.items():
        reason = REASONS[name]
        times = choices.measured.timings.get(f"{name}, because")
        yield {
            "name": name,
            "title": choices.problem.title,
            "because": because(reason, times) if times else "",
            "more": reason.page,
            "map": winner_map.tables(every, here, name),
            "figure": cells[name]
            and regions.figure(choices, cells[name], names),
        }
