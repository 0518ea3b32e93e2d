import { type Random } from "./seeded.ts";

/** Sectors of the generated market: how many companies, how they swing with the market, and what they call themselves. */
export const SECTORS: { name: string; count: number; beta: number; endings: string[] }[] = [
  {
    name: "Information Technology",
    count: 70,
    beta: 1.2,
    endings: ["Systems", "Software", "Semiconductor", "Networks", "Devices", "Data", "Micro"],
  },
  {
    name: "Health Care",
    count: 62,
    beta: 0.85,
    endings: ["Health", "Therapeutics", "Biologics", "Medical", "Diagnostics", "Pharma"],
  },
  {
    name: "Financials",
    count: 66,
    beta: 1.05,
    endings: ["Bancorp", "Financial", "Insurance", "Capital", "Holdings", "Trust"],
  },
  {
    name: "Consumer Discretionary",
    count: 58,
    beta: 1.15,
    endings: ["Stores", "Motors", "Hotels", "Apparel", "Brands", "Homes"],
  },
  {
    name: "Industrials",
    count: 70,
    beta: 1.05,
    endings: ["Industries", "Aerospace", "Logistics", "Machinery", "Rail", "Engineering"],
  },
  {
    name: "Communication Services",
    count: 25,
    beta: 1.0,
    endings: ["Media", "Telecom", "Interactive", "Broadcasting"],
  },
  { name: "Consumer Staples", count: 35, beta: 0.65, endings: ["Foods", "Beverages", "Household", "Grocers"] },
  { name: "Energy", count: 25, beta: 1.2, endings: ["Energy", "Petroleum", "Drilling", "Pipelines"] },
  { name: "Utilities", count: 28, beta: 0.55, endings: ["Electric", "Power", "Water", "Gas"] },
  { name: "Real Estate", count: 31, beta: 0.9, endings: ["Properties", "Realty", "Storage", "Residential"] },
  { name: "Materials", count: 30, beta: 1.1, endings: ["Chemicals", "Steel", "Paper", "Minerals"] },
];

const STEMS =
  `Alder Amberly Ardent Ashford Aldine Barrow Belmar Birchwood Blackmoor Bramble Brightwater Calder Camden Carrick Cascade Cedarline
  Chalmers Clearfield Coldspring Corvane Crestline Dalton Darrow Deepwell Dunmore Eastgate Eldridge Elmhurst Emberly Fairmont Falkner
  Fernhill Flintlock Foxhall Garnet Glenrock Goldfinch Granger Greyson Hadley Halvorsen Harborview Hartwell Hawthorn Highmark Hollis
  Ironwood Ivydale Jasper Juniper Keystone Kingsford Kirkland Lakeshore Lambert Langdon Larkspur Lexden Linwood Lockhart Marlowe
  Meridian Millbrook Monarch Northgate Norwick Oakhaven Ostrander Oxbow Palisade Parkhurst Pembroke Pinecrest Quarry Quillon Radley
  Ravenna Redfern Ridgeway Riverton Rockport Rosewood Rutland Sablewood Saxon Sheffield Silverton Southwick Stonegate Summerlin Sterling
  Tamarack Thornbury Tidewater Trenton Umber Upland Valmont Vantage Vernon Wakefield Waverly Westmark Whitlock Wildmere Windham
  Winslow Woodbine Wyndale Yardley Yorkton Zephyr`
    .split(/\s+/)
    .filter((stem) => stem !== "");

/** A company name that no other company of the market has. */
export function companyName(random: Random, endings: readonly string[], taken: Set<string>): string {
  for (;;) {
    const stem = STEMS[Math.floor(random() * STEMS.length)] as string;
    const name = `${stem} ${endings[Math.floor(random() * endings.length)] as string}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** A ticker made from the name's letters, three or four long, that is still free. */
export function tickerOf(name: string, random: Random, taken: Set<string>): string {
  const [stem = "", ending = ""] = name.toUpperCase().split(" ");
  const consonants = (word: string) => word[0] + word.slice(1).replace(/[AEIOU]/g, "");
  const candidates = [
    stem.slice(0, 3),
    consonants(stem).slice(0, 3),
    consonants(stem).slice(0, 2) + (ending[0] ?? ""),
    stem.slice(0, 2) + ending.slice(0, 2),
    consonants(stem).slice(0, 3) + (ending[0] ?? ""),
  ];
  for (const ticker of candidates) {
    if (ticker.length < 3 || taken.has(ticker)) continue;
    taken.add(ticker);
    return ticker;
  }
  for (;;) {
    const letter = () => String.fromCharCode(65 + Math.floor(random() * 26));
    const ticker = stem.slice(0, 2) + letter() + letter();
    if (taken.has(ticker)) continue;
    taken.add(ticker);
    return ticker;
  }
}
