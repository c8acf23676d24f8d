// The curve of a game: the winning chances of the first player after each move.

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [600, 120];

function draw(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

export class Curve {
  constructor(element, onChoose) {
    this.element = element;
    this.onChoose = onChoose;
  }

  /** Draw the nodes of a line, of which those with a review have a point. */
  show(path, here, symbol) {
    this.element.replaceChildren();
    const points = path.map((node, i) => [i + 1, node.review?.after, node])
      .filter(([, value]) => value !== undefined && value !== null);
    if (!points.length) return;
    const first = path.find((node) => node.review).review.before; // chance may have moved before
    points.unshift([0, first, null]);
    const x = (ply) => (WIDTH * ply) / path.length;
    const y = (value) => (HEIGHT - 8) * (1 - value) / 2 + 4;
    const svg = draw("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `Winning chances of ${symbol} from move to move, at the end ${percent(points.at(-1)[1])}`,
    }, this.element);
    const corners = points.map(([ply, value]) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`);
    draw("polygon", {
      class: "area",
      points: [`${x(points[0][0])},${HEIGHT}`, ...corners, `${x(points.at(-1)[0])},${HEIGHT}`].join(" "),
    }, svg);
    draw("line", { class: "even", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }, svg);
    draw("polyline", { class: "curve", points: corners.join(" ") }, svg);
    const at = path.indexOf(here) + 1;
    if (at || !here.parent) draw("line", { class: "here", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }, svg);
    for (const [ply, value, node] of points) {
      const severity = node?.review.severity;
      if (severity) draw("ellipse", { class: `dot ${severity}`, cx: x(ply), cy: y(value), rx: 5, ry: 5 }, svg);
    }
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const ply = Math.round(((event.clientX - box.left) / box.width) * path.length);
      this.onChoose(ply ? path[ply - 1] : path[0].parent);
    });
  }
}

/** Winning chances as a percentage. */
export const percent = (chances) => `${Math.round(50 * (1 + chances))} %`;
