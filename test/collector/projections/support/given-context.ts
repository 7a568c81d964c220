export const narrow = {
  entriesMax: 3,
  summariesMax: 2,
  momentsMax: 2,
  liveMax: 1,
  windowsMax: 2,
  toolPathsMax: 2,
  summaryPathsMax: 1,
  pathCharsMax: 8,
};
