"""Long work. The Job row is the queue of record; a Celery message is only a hint that it is there.

Tables: Job, JobEvent. Public: `kinds` (registry of what can run), `followers` (registry of what is told at the
end), `services.enqueue / cancel / retry`, `selectors`, `contracts`, `run.JobRun` (what a handler works with).
"""
