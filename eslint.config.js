// What is looked for in the JavaScript of the pages, and in its tests, beside the types.

import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";

export default defineConfig(
  globalIgnores([".*/", "build/", "dist/", "docs/_build/", "docs/reference/"]),
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-implicit-coercion": ["error", { allow: ["!!"] }],
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-template-curly-in-string": "error",
      "no-unneeded-ternary": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-rest-params": "error",
      "prefer-spread": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["adv_envs/**", "agents/**", "docs/static/**"],
    ignores: ["agents/web/site/*.mjs"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["agents/web/static/theme.js", "docs/static/manual.js"], // not modules
    languageOptions: { sourceType: "script" },
  },
  {
    files: ["tests/js/**", "agents/web/site/*.mjs", "eslint.config.js"],
    languageOptions: { globals: globals.node },
  },
);
