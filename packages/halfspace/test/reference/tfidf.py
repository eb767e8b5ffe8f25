"""Reference values for text columns: scikit-learn's TfidfVectorizer and CountVectorizer.

Tokens are as those of src/features/text-tokens.ts for texts without underscores and combining marks.

    python3 tfidf.py > tfidf.json
"""

import json
import sys

import sklearn
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

learned = [
    "Free entry! Text FREE to 87121, free free free",
    "I'll call you later, ok?",
    "Call 87121 now: £1000 cash or 2 free tickets",
    "ok lar... later",
    "Überraschung: das Café ist offen, OK?",
    "you have won £1000 cash! call now",
    "Ankara'da görüşürüz",
    "later",
]
judged = learned + ["free £1000, later later", "nothing of this kind", "ok"]
token = r"[^\W_]+|[^\w\s]"


def values(vectorizer):
    """Names of the features, and for every judged text those that are not 0."""
    names = vectorizer.fit(learned).get_feature_names_out().tolist()
    matrix = vectorizer.transform(judged)
    rows = [
        sorted((names[j], float(value)) for j, value in zip(row.indices, row.data)) for row in (matrix[i] for i in range(len(judged)))
    ]
    return {"names": names, "rows": rows}


json.dump(
    {
        "sklearn": sklearn.__version__,
        "learned": learned,
        "judged": judged,
        "words": values(TfidfVectorizer(token_pattern=token, ngram_range=(1, 2), sublinear_tf=True)),
        "frequent": values(TfidfVectorizer(token_pattern=token, ngram_range=(1, 3), sublinear_tf=True, min_df=2)),
        "characters": values(TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)),
        "counts": values(CountVectorizer(token_pattern=token, ngram_range=(2, 2), lowercase=False)),
        "binary": values(CountVectorizer(token_pattern=token, binary=True)),
    },
    sys.stdout,
    ensure_ascii=False,
    indent=1,
)
