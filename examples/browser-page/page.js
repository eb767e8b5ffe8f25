import { csv, encodeModel, Predictor, train } from 'halfspace';

const [file, label, result, save, ask, answer] = ['file', 'label', 'result', 'save', 'ask', 'answer'].map((id) =>
  document.getElementById(id),
);
let predictor;

file.addEventListener('change', async () => {
  try {
    const { model, report } = await train(csv(file.files[0], { label: label.value }));
    predictor = new Predictor(model);
    result.value = `${Math.round(100 * report.train.accuracy)} % of the rows are right`;
    const href = URL.createObjectURL(new Blob([encodeModel(model)], { type: 'application/json' }));
    const link = { href, download: 'model.json', textContent: 'Save the model' };
    save.replaceChildren(Object.assign(document.createElement('a'), link));
    showForm(model.features.columns.map((column) => column.name));
  } catch (error) {
    result.value = error.message;
  }
});

/** Shows a field for each column that the model reads. */
function showForm(columns) {
  ask.replaceChildren(
    ...columns.map((name) => {
      const field = document.createElement('label');
      const input = document.createElement('input');
      input.name = name;
      field.append(`${name} `, input);
      return field;
    }),
    Object.assign(document.createElement('button'), { textContent: 'Predict' }),
  );
  ask.hidden = false;
}

ask.addEventListener('submit', (event) => {
  event.preventDefault();
  answer.value = predictor.predict(Object.fromEntries(new FormData(ask)));
});
