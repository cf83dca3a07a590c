'use strict';
// Answers for `probabilities.py`: what may follow each position of a level, by PuzzleScript's own engine.
//
//     node benchmarks/probabilities.js ENGINE
//
// ENGINE is a folder with the sources of the engine in `js/`. A line of the input is JSON: `game`, the text, `most`
// nodes and `leaves`, the most sequences of draws that follow a node and a move. A line of the output has
//
// kinds   sets of objects
// nodes   the start, and boards: by cell, in rows, the number of its set, and whether `again` goes on from it
// after   of each node, for each move, or once where nothing is chosen: pairs of the number of a node, or "won", and
//         its probability as a fraction
// why     it is there instead if a limit is reached
//
// Each sequence of draws is walked by itself: a draw of n takes each of 0 to n - 1 with the probability 1 / n. A step
// is one call of the engine: a round, with its dry round after `again`, and with a restart and its first round.
const fs = require('fs'), path = require('path'), readline = require('readline'), vm = require('vm');
const FILES = ['storagewrapper', 'bitvec', 'level', 'languageConstants', 'globalVariables', 'debug', 'font', 'rng',
  'riffwave', 'sfxr', 'codemirror/stringstream', 'colorhelpers', 'colors', 'engine', 'parser', 'compiler', 'soundbar'];
const nothing = () => {};
Object.assign(global, {
  localStorage: { getItem: () => null, setItem: nothing, removeItem: nothing },
  document: {
    URL: 'x', body: { classList: { contains: () => false }, addEventListener: nothing, removeEventListener: nothing, style: {} },
    createElement: () => ({ style: {}, innerHTML: '', textContent: '', getContext: () => null }), getElementById: () => null,
  },
  window: global, lastDownTarget: null, canvas: null, input: {}, levelString: '', editor: { getValue: () => '' },
});
for (const name of ['canvasResize', 'redraw', 'consolePrintFromRule', 'consoleCacheDump', 'addToDebugTimeline',
  'killAudioButton', 'showAudioButton', 'regenSpriteImages', 'jumpToLine', 'printLevel', 'playSound', 'consolePrint',
  'consoleError', 'console_print_raw', 'forceRegenImages', 'UnitTestingThrow']) global[name] = nothing;
let sources = FILES.map(name => fs.readFileSync(path.join(process.argv[2], 'js', name + '.js'), 'utf8')).join('\n');
const DRAW = /Math\.floor\(RandomGen\.uniform\(\) ?\* ?([\w.]+)\)/g;
if (sources.match(DRAW).length !== sources.split('RandomGen.uniform()').length - 1) throw new Error('unknown draws');
sources = sources.replace(DRAW, 'DRAWN($1)') + `
let script = [], sizes = [], at = 0;
function DRAWN(size) {
  if (at === script.length) { script.push(0); sizes.push(size); }
  return script[at++];
}
const gcd = (a, b) => b ? gcd(b, a % b) : a;
global.explored = function (text, most, leaves) {
  let won = false;
  nextLevel = () => { won = true; againing = false; };
  unitTesting = true; lazyFunctionGeneration = false; textMode = false; againing = false; winning = false;
  script = []; sizes = []; at = 0;
  compile(['loadLevel', 0], text, 'seed');
  if (errorCount) return { why: 'errors' };
  const moves = 'noaction' in state.metadata ? [0, 1, 2, 3] : [0, 1, 2, 3, 4];
  if (autotickinterval > 0) moves.push(-1); // a tick
  const target = () => ({ dat: new Int32Array(state.levels[0].objects), width: level.width, height: level.height, oldflickscreendat: [] });
  const found = new Map(), nodes = [], kinds = new Map(), after = [];
  function add(objects, goesOn) {
    const key = objects.join() + goesOn;
    if (!found.has(key)) { found.set(key, nodes.length); nodes.push({ objects, goesOn }); }
    return found.get(key);
  }
  function kind(index) {
    const cell = level.getCell(index);
    const names = state.idDict.filter((_, id) => cell.get(id)).join(' ');
    if (!kinds.has(names)) kinds.set(names, kinds.size);
    return kinds.get(names);
  }
  function walk(step) {  // all sequences of draws of a step, with their probabilities
    const ends = new Map();
    script = []; sizes = [];
    for (let count = 0; ; count++) {
      if (count === leaves) throw new Error('too many draws');
      at = 0; won = false; textMode = false; winning = false; againing = false; backups = []; messagetext = '';
      resetParserErrorState();
      step();
      if (textMode) throw new Error('a message');
      const end = won ? 'won' : add(new Int32Array(level.objects), againing);
      const below = sizes.slice(0, at).reduce((product, size) => product * BigInt(size), 1n);
      const [a, b] = ends.get(end) || [0n, 1n], top = a * below + b, bottom = b * below, common = gcd(top, bottom);
      ends.set(end, [top / common, bottom / common]);
      script.length = at; sizes.length = at;
      while (script.length && script[script.length - 1] + 1 === sizes[sizes.length - 1]) { script.pop(); sizes.pop(); }
      if (!script.length) return [...ends].map(([node, [over, under]]) => [node, over + '/' + under]);
      script[script.length - 1]++;
    }
  }
  nodes.push(null);
  after.push([walk(() => loadLevelFromState(state, 0, 'seed'))]);
  for (let here = 1; here < nodes.length; here++) {
    if (nodes.length > most) return { why: 'too many nodes' };
    const { objects, goesOn } = nodes[here];
    after.push((goesOn ? [-1] : moves).map(move => walk(() => {
      level.objects = new Int32Array(objects); restartTarget = target();
      processInput(move);
    })));
  }
  function board(objects) {
    level.objects = new Int32Array(objects);
    const cells = [];
    for (let y = 0; y < level.height; y++) for (let x = 0; x < level.width; x++) cells.push(kind(x * level.height + y));
    return cells;
  }
  const boards = nodes.map(node => node && [board(node.objects), node.goesOn]);
  return { kinds: [...kinds.keys()], nodes: boards, after };
};`;
vm.runInThisContext(sources);
readline.createInterface({ input: process.stdin }).on('line', line => {
  const { game, most, leaves } = JSON.parse(line);
  let answer;
  try { answer = explored(game + '\n', most, leaves); } catch (error) { answer = { why: String(error.message).slice(0, 200) }; }
  console.log(JSON.stringify(answer));
});
