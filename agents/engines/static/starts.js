// Finds the start of a game that has certain parameters.

/** @import { EngineInfo, Parameters } from "../engine" */

/**
 * The number of the start with these parameters; what is not said is as in the first. Error if the
 * game has no parameter of that name, or is not there with such parameters.
 * @param {string} game
 * @param {EngineInfo["starts"]} starts
 * @param {Parameters} parameters
 */
export function startWith(game, starts, parameters) {
  const usual = starts[0].parameters;
  for (const name of Object.keys(parameters)) {
    if (!Object.hasOwn(usual, name)) {
      const known = Object.keys(usual).join(", ") || "none";
      throw new Error(`${game} has no parameter ${name}; it has: ${known}`);
    }
  }
  const wanted = Object.entries({ ...usual, ...parameters });
  const fits = starts.findIndex((start) =>
    wanted.every(([name, value]) => start.parameters[name] === value));
  if (fits < 0) {
    const known = starts.map((start) => JSON.stringify(start.parameters)).join(", ");
    throw new Error(`there is ${game} with ${known}`);
  }
  return fits;
}
