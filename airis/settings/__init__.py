"""Settings by environment; `development` is what `make run` uses. Env is read here and nowhere else."""
