"""adv_envs.envs."""
