declare module '*.md' {
  const tour: import('./tour.ts').Tour;
  export default tour;
}
declare module '*.md?head' {
  const head: import('./tour.ts').TourHead;
  export default head;
}
