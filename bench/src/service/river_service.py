"""Predicts and learns over HTTP with river behind FastAPI: one process, the model in memory.

    uvicorn river_service:app --port PORT
"""

from fastapi import FastAPI, Request
from river import compose, linear_model, preprocessing

numbers = compose.SelectType(int, float) | preprocessing.StandardScaler()
categories = compose.SelectType(str) | preprocessing.OneHotEncoder()
model = (numbers + categories) | linear_model.Perceptron()
learned = 0

app = FastAPI()


@app.post("/predict")
async def predict(request: Request):
    return {"class": bool(model.predict_one((await request.json())["row"]))}


@app.post("/predict-many")
async def predict_many(request: Request):
    return {"classes": [bool(model.predict_one(row)) for row in (await request.json())["rows"]]}


@app.post("/learn")
async def learn(request: Request):
    global learned
    body = await request.json()
    answer = model.predict_one(body["row"])
    model.learn_one(body["row"], body["label"] == "1")
    learned += 1
    return {"class": bool(answer), "learned": learned}


@app.get("/learned")
async def count():
    return {"learned": learned}
