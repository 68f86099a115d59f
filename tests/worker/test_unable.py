"""A worker that cannot work asks for tasks less and less often."""

from agent_connector.worker.unable import Unable


class Told:
    def __init__(self) -> None:
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def wall(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds


def test_one_task_waits_longer_each_time_and_at_most_ten_minutes() -> None:
    clock = Told()
    unable = Unable(clock)
    waited: list[float] = []
    for _ in range(7):
        begun = clock.at
        unable.note("a", "no key")
        while unable.waits("a"):
            clock.at += 10
        waited.append(clock.at - begun)
    assert waited == [30, 60, 120, 240, 480, 600, 600]
    unable.began("a")
    unable.note("a", "no key")
    clock.at += 30
    assert not unable.waits("a")


def test_after_some_in_a_row_no_task_is_taken_for_a_while_and_a_run_that_begins_ends_that() -> None:
    clock = Told()
    unable = Unable(clock)
    for task in ("a", "b"):
        unable.note(task, "no key")
    assert not unable.pausing
    unable.note("c", "host gone")
    assert unable.pausing
    clock.at += 60
    assert not unable.pausing
    unable.note("d", "host gone")
    assert unable.pausing
    unable.began("d")
    assert not unable.pausing
    assert unable.words() == "a, b could not begin: no key; c could not begin: host gone"
    assert unable.words(["c", "x"]) == "c could not begin: host gone" and unable.words(["x"]) is None
