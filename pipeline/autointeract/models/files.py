"""Open files: many requests in flight are many sockets, and the usual soft limit of 1,024 is too few for them."""

import logging
import resource


def allow_files(count: int) -> None:
    """Raises this process's soft limit of open files to `count`, as far as the hard limit lets it; never lowers it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if wanted < count:
        logging.getLogger(__name__).warning(
            "only %d open files are allowed, which is too few for max_in_flight: lower it, or raise `ulimit -n`", wanted
        )
