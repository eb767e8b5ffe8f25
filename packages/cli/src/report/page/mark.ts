/** In the head of every page: by this a report is known, which a newer one may replace. */
export const mark = '<meta name="generator" content="halfspace report">';
