'use strict';
// Answers for `reference.py`: the positions of a level by PuzzleScript's own engine, as a player meets it on a page.
//
//     node benchmarks/reference.js ENGINE
//
// ENGINE is a folder with the sources of the engine in `js/`. A line of the input is JSON: `game`, the text, `level`,
// the number of a level from 1, without messages, and `most` positions. A line of the output has
//
// errors, warnings   what the compiler says
// kinds      sets of objects
// positions  by cell, in rows, the number of its set; the start first
// targets    the same for the board that a restart goes back to from each position
// turns      of each position that was expanded, for each move: the number of the position after it, or a word: "won",
//            or "unsettled" if it does not end
//
// A message stands until it is closed; then the win is asked for, and `again` goes on. Only a message of the first round
// of a level asks for none.
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
const sources = FILES.map(name => fs.readFileSync(path.join(process.argv[2], 'js', name + '.js'), 'utf8'));
sources.push(`global.explored = function (text, wanted, most) {
  let won = false;
  const ROUNDS = 500;
  nextLevel = () => { won = true; againing = false; };
  processOutputCommands = commands => { textMode = textMode || commands.includes('message'); };
  function close(isFirst) { if (textMode) { textMode = false; messagetext = ''; if (!won && !isFirst) checkWin(); } }
  function settle(isStart) {
    let rounds = 1;
    close(isStart);
    while (againing && !won && rounds++ < ROUNDS) { againing = false; resetParserErrorState(); processInput(-1); close(); }
    return won ? 'won' : againing ? 'unsettled' : 'settled';
  }
  unitTesting = true; lazyFunctionGeneration = false; textMode = false; againing = false; winning = false;
  compile(['loadLevel', 0], text, 'seed');
  const said = errorStrings.map(words => words.replace(/<[^>]*>/g, ''));
  const answer = { errors: errorCount, said };
  const number = state.levels.map((item, at) => item.message === undefined ? at : -1).filter(at => at >= 0)[wanted - 1];
  won = false; textMode = false; againing = false; messagetext = '';
  resetParserErrorState();
  loadLevelFromState(state, number, 'seed');
  const start = settle(true), moves = 'noaction' in state.metadata ? [0, 1, 2, 3] : [0, 1, 2, 3, 4];
  if (autotickinterval > 0) moves.push(-1); // a tick
  const found = new Map(), states = [], kinds = new Map();
  function add() {  // a position is a board with the one that a restart goes back to
    const key = level.objects.join() + ';' + restartTarget.dat.join();
    if (!found.has(key)) { found.set(key, states.length); states.push({ objects: new Int32Array(level.objects), target: restartTarget }); }
    return found.get(key);
  }
  function kind(index) {
    const cell = level.getCell(index);
    const names = state.idDict.filter((_, id) => cell.get(id)).join(' ');
    if (!kinds.has(names)) kinds.set(names, kinds.size);
    return kinds.get(names);
  }
  add();
  const turns = [];
  for (let here = 0; here < states.length && turns.length < most && start === 'settled'; here++) {
    turns.push(moves.map(move => {
      level.objects = new Int32Array(states[here].objects); backups = []; restartTarget = states[here].target;
      won = false; textMode = false; winning = false; againing = false;
      resetParserErrorState(); processInput(move);
      const ending = settle();
      return ending === 'settled' ? add() : ending;
    }));
  }
  function board(objects) {
    level.objects = new Int32Array(objects);
    const cells = [];
    for (let y = 0; y < level.height; y++) for (let x = 0; x < level.width; x++) cells.push(kind(x * level.height + y));
    return cells;
  }
  answer.positions = states.map(state => board(state.objects));
  answer.targets = states.map(state => board(state.target.dat));
  return Object.assign(answer, { kinds: [...kinds.keys()], start, turns });
};`);
vm.runInThisContext(sources.join('\n'));
readline.createInterface({ input: process.stdin }).on('line', line => {
  const { game, level, most } = JSON.parse(line);
  let answer;
  try { answer = explored(game + '\n', level, most); } catch (error) { answer = { crash: String(error.message).slice(0, 200) }; }
  console.log(JSON.stringify(answer));
});
