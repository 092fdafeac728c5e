"""Repositories of the Hugging Face hub -> folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slant.errors import UnknownName, WorkFailed


def hub_folder(repository: str, wanted: Sequence[str]) -> Path:
    """The files of a repository of the hub, downloaded into the hub's own cache.

    Where a repository holds pickled weights alone, the hub's own conversion of them to safetensors
    is taken, which waits there as a pull request.

    Args:
        repository: `owner/name`.
        wanted: patterns of file names.

    Returns:
        The folder in the cache.

    Raises:
        UnknownName: the hub does not know it. WorkFailed: the hub cannot be reached, or its owner
            lets in only who asked.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError

    asked = f"Fetching the checkpoint '{repository}' from the hub"

    def fetched(revision: str | None) -> Path:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=list(wanted)))

    try:
        folder = fetched(None)
        if not any(folder.glob("*.safetensors")) and (pull := conversion(repository)):
            folder = fetched(pull)
    except GatedRepoError as why:
        found, do = "its owner lets in only who asked", "Log in with `hf auth login`"
        raise WorkFailed(asked, found, do) from why
    except (RepositoryNotFoundError, HFValidationError) as why:
        do = "Check the name, or give a folder that holds the checkpoint"
        raise UnknownName(asked, "the hub does not know it", do) from why
    # The hub's client raises errors of three libraries for one and the same cause.
    except Exception as why:
        found = f"the hub cannot be reached ({type(why).__name__})"
        do = "Give a folder that holds the checkpoint, or encoder:minilm, which needs no network"
        raise WorkFailed(asked, found, do) from why
    return folder


def conversion(repository: str) -> str | None:
    """The revision of the hub's own conversion to safetensors, or None where there is none."""
    from huggingface_hub import HfApi

    for one in HfApi().get_repo_discussions(repository, discussion_type="pull_request"):
        if one.author == "SFconvertbot" and "safetensors" in one.title.lower():
            return f"refs/pr/{one.num}"
    return None
