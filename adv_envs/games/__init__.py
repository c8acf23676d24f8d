"""The games, one file each. ``adv_envs.registry`` lists them."""
