declare module "vader-sentiment" {
  const vader: {
    SentimentIntensityAnalyzer: {
      /** Each part 0 … 1, compound −1 … 1. */
      polarity_scores(text: string): { neg: number; neu: number; pos: number; compound: number };
    };
  };
  export default vader;
}
