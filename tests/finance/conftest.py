from hypothesis import settings

settings.register_profile("airis", deadline=None)  # no wall-clock limits in tests
settings.load_profile("airis")
