/**
 * Returns results as they are kept with the documentation: without single runs, and without paths of the machine.
 *
 * @param {any} results of the bench or of its comparison of accuracies
 */
export function recorded({ interpreter = null, ...results }) {
  const text = JSON.stringify(results);
  const here = JSON.parse(
    interpreter === null ? text : text.replaceAll(JSON.stringify(interpreter).slice(1, -1), 'python3'),
  );
  return here.schema.startsWith('halfspace-quality/') ? withoutReports(here) : withoutRuns(here);
}

function withoutRuns({ options, groups, ...rest }) {
  const { output, ...asked } = options;
  const short = ({ runs, ...contender }) => contender;
  const shorter = ([name, group]) => [name, { ...group, contenders: group.contenders.map(short) }];
  return {
    ...rest,
    options: asked,
    groups: Object.fromEntries(Object.entries(groups).map(shorter)),
  };
}

/** The comparison of accuracies, with the rule that was chosen. Its times are few, so they are left to the report. */
function withoutReports({ sets, ...rest }) {
  const accuracyAlone = (outcome) =>
    'failure' in outcome ? outcome : { accuracy: outcome.accuracy, baseline: outcome.baseline };
  return {
    ...rest,
    sets: sets.map(({ choice, namesakes, times, ...set }) => ({
      ...set,
      choice: { ...accuracyAlone(choice), ...('failure' in choice ? {} : { result: chosen(choice.result) }) },
      namesakes: Object.fromEntries(Object.entries(namesakes).map(([name, outcome]) => [name, accuracyAlone(outcome)])),
    })),
  };
}

function chosen({ rule, passes, search: { tried, taken, why } }) {
  return { rule, passes, search: { tried: [{ options: tried[taken].options }], taken: 0, why } };
}
