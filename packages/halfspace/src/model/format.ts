/** The values of `format` and `version` in a model file. */
export const modelFormat = 'halfspace-model';
export const modelVersion = 2;
