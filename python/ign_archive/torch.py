"""Positions for PyTorch.

    from torch.utils.data import DataLoader
    from ign_archive.torch import PositionDataset

    data = PositionDataset("2013-*.ign", batch=4096, shuffle_buffer=1_000_000, planes="float32")
    for epoch in range(10):
        data.seed = epoch
        for batch in DataLoader(data, batch_size=None, num_workers=4):
            loss = criterion(model(batch["planes"]), batch["move"])

Each worker of the loader reads other games, with one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ign_archive._files import open
from ign_archive._native import Archive, positions
from ign_archive._paths import Paths

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError as error:
    raise ImportError("ign_archive.torch needs PyTorch 2.3 or later: pip install torch") from error


def part_of_worker(shard: tuple[int, int], worker: int, workers: int) -> tuple[int, int]:
    """The shard of one of the workers that together read a shard."""
    part, parts = shard
    return part * workers + worker, parts * workers


class PositionDataset(IterableDataset):  # type: ignore[type-arg]
    """Batches of positions: dictionaries of tensors, as `ign_archive.positions` returns arrays.

    A DataLoader must not batch again: `batch_size=None`. Its workers read disjoint parts of the games, whatever
    the seed. In distributed training each process passes `shard=(rank, world_size)`.

    Args:
        archive: An open archive, or what `open` takes. It is pickled as its paths.
        seed: The seed of the order; another for each epoch. Assign to `seed` between epochs.
        shard: As for `positions`.
        tokens: For each worker, the token with which it continues; the batches have theirs as `"token"`.
        options: The other arguments of `positions`.
    """

    def __init__(
        self,
        archive: Archive | Paths,
        *,
        seed: int = 0,
        shard: tuple[int, int] = (0, 1),
        tokens: list[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.archive = archive if isinstance(archive, Archive) else open(archive)
        self.seed = seed
        self.shard = shard
        self.tokens = tokens
        self.options = options

    def __iter__(self) -> Iterator[dict[str, Any]]:
        info = get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        options = dict(self.options)
        if info is not None:
            options.setdefault("threads", 1)
        if self.tokens is not None:
            options["resume"] = self.tokens[worker]
        shard = part_of_worker(self.shard, worker, workers)
        batches = positions(self.archive, seed=self.seed, shard=shard, **options)
        for batch in batches:
            tensors: dict[str, Any] = {
                name: torch.from_numpy(value) if hasattr(value, "dtype") else value for name, value in batch.items()
            }
            tensors["worker"] = worker
            tensors["token"] = batches.token
            yield tensors
