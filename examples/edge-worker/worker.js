import { csv, encodeModel, errorCodes, HalfspaceError, train } from 'halfspace';
import { decodeModel, Predictor } from 'halfspace/predict';
import text from './fruit.model.json';

const predictor = new Predictor(decodeModel(text));

const routes = {
  /** Answers a row, as JSON, by the model in the bundle. */
  async '/predict'(request) {
    const row = await request.json();
    return Response.json({ ripe: predictor.predict(row), score: predictor.score(row) });
  },

  /** Trains from a CSV table and answers with the model: /train?label=COLUMN. */
  async '/train'(request, { searchParams }) {
    const { model } = await train(csv(request.body, { label: searchParams.get('label') }));
    return new Response(encodeModel(model), { headers: { 'content-type': 'application/json' } });
  },
};

export default {
  async fetch(request) {
    const url = new URL(request.url);
    try {
      return (
        (await routes[url.pathname]?.(request, url)) ?? new Response('expected /predict or /train\n', { status: 404 })
      );
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      return new Response(`${error.message}\n`, { status: errorCodes[error.code].http });
    }
  },
};
