import { number, range, table } from '../report/table.mjs';

/**
 * @typedef {{ accuracy: number, baseline: number, seconds: number, result: any } | { failure: string }} Outcome
 * @typedef {object} SetResult
 * @property {string} name
 * @property {number} examples
 * @property {number} judged
 * @property {Record<string, import('./scikit-learn.mjs').PeerScore> | { failure: string } | null} peers null: not asked
 * @property {Outcome} choice
 * @property {Record<string, Outcome>} namesakes
 * @property {ReturnType<typeof import('./halfspace.mjs').timesOfChoice> | null} times
 */

/** The least accuracy that counts as reaching `accuracy`: one standard error of a share of `judged` rows less. */
export function leastReached(accuracy, judged) {
  return accuracy - standardError(accuracy, judged);
}

/** Of a share of `judged` rows. */
function standardError(accuracy, judged) {
  return Math.sqrt((accuracy * (1 - accuracy)) / judged);
}

/** @param {any} report */
export function qualityMarkdown({ date, machine, halfspace, peer, absent, sets }) {
  const peers = peer === null ? [] : peer.columns;
  const parts = [
    '# Held-out accuracy',
    `${date.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; halfspace ${halfspace}, commit ${machine.commit}; ${
      peer === null ? 'scikit-learn left out' : `scikit-learn ${peer.version}`
    }.`,
    'Row i, from 0, is held out where i % 5 = 4, unless a file was published for that.',
  ];
  if (absent.length > 0) parts.push(`Left out, because their files are absent: ${absent.join(', ')}.`);
  parts.push('## With no option', choiceTable(sets, peers), choiceCount(sets, peers));
  parts.push('## Each rule beside its namesake', namesakesTable(sets, Object.keys(sets[0]?.namesakes ?? {})));
  if (peers.length > 0)
    parts.push(
      peers
        .map((name) =>
          countLine(sets, (set) => namesakeReached(set, name), `${name}, less one standard error, is reached`),
        )
        .join('  \n'),
      '\\* did not converge, by its own warning.',
    );
  parts.push('## Time of the choice', timesTable(sets), 'Whole processes in turn; the ratio is taken pair by pair.');
  if (machine.loadBefore > 0.5) parts.push(`**Other work was running (load ${machine.loadBefore}).**`);
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** How many sets the choice reaches the best peer on; empty without peers. */
export function choiceCount(sets, peers) {
  if (peers.length === 0) return '';
  return countLine(sets, choiceReached, 'The best column, less one standard error, is reached');
}

/** The accuracies of the peers and of the choice that halfspace makes without options. */
export function choiceTable(sets, peers) {
  const header = [
    'set',
    'judged',
    'baseline',
    ...peers,
    ...(peers.length > 0 ? ['best − s.e.'] : []),
    'halfspace ± s.e.',
    'reached',
    'chosen',
  ];
  const rows = sets.map((set) => {
    const best = bestOf(set);
    return [
      set.name,
      String(set.judged),
      number(set.choice.baseline, 3),
      ...peers.map((name) => peerCell(set, name)),
      ...(peers.length > 0 ? [number(best === null ? null : leastReached(best, set.judged), 3)] : []),
      'failure' in set.choice
        ? 'failed'
        : `${number(set.choice.accuracy, 3)} ± ${number(standardError(set.choice.accuracy, set.judged), 3)}`,
      mark(choiceReached(set)),
      chosen(set.choice),
    ];
  });
  return table(header, rows);
}

function namesakesTable(sets, names) {
  const rows = sets.map((set) => [
    set.name,
    ...names.map((name) =>
      [outcomeCell(set.namesakes[name]), peerCell(set, name), mark(namesakeReached(set, name))].join(' '),
    ),
  ]);
  return `Ours, then scikit-learn's.\n\n${table(['set', ...names], rows)}`;
}

function timesTable(sets) {
  const rows = sets
    .filter(({ times }) => times !== null)
    .map(({ name, examples, choice, times }) => [
      name,
      String(examples),
      String(choice.result?.nonzeros ?? ''),
      range(times.chosen, 2),
      range(times.averaged, 2),
      range(times.ratio, 1),
    ]);
  return table(['set', 'examples', 'numbers', 'no option s', '--rule averaged s', 'ratio'], rows);
}

/** The best of the peer's accuracies; null where there is none. */
function bestOf({ peers }) {
  if (peers === null || 'failure' in peers) return null;
  return Math.max(...Object.values(peers).map(({ accuracy }) => accuracy));
}

/** @returns {boolean | null} null where the peer is missing */
function choiceReached(set) {
  const best = bestOf(set);
  return best === null ? null : (set.choice.accuracy ?? 0) >= leastReached(best, set.judged);
}

function namesakeReached({ peers, namesakes, judged }, name) {
  if (peers === null || 'failure' in peers) return null;
  return (namesakes[name]?.accuracy ?? 0) >= leastReached(peers[name].accuracy, judged);
}

function countLine(sets, reached, sentence) {
  const told = sets.map(reached).filter((value) => value !== null);
  return `${sentence} on ${told.filter(Boolean).length} of ${told.length}.`;
}

function chosen({ result }) {
  if (result === undefined) return '';
  const { tried = [], taken = 0, why = '' } = result.search ?? {};
  const { loss, alpha } = tried[taken]?.options ?? {};
  return [
    result.rule,
    ...(loss === undefined ? [] : [loss, `α ${Number(alpha.toPrecision(2))}`]),
    result.passes === 1 ? '1 pass' : `${result.passes} passes`,
    ...(why === '' || why === 'best' ? [] : [`(${why})`]),
  ].join(' ');
}

function peerCell({ peers }, name) {
  if (peers === null) return '';
  if ('failure' in peers) return 'failed';
  return `${number(peers[name].accuracy, 3)}${peers[name].notConverged ? '\\*' : ''}`;
}

function outcomeCell(outcome) {
  return outcome === undefined || 'failure' in outcome ? 'failed' : number(outcome.accuracy, 3);
}

function mark(reached) {
  return reached === null ? '' : reached ? '✓' : '✗';
}
