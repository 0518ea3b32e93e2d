/** The eleven sectors of the Global Industry Classification Standard (GICS). */
export const SECTORS = [
  "Communication Services",
  "Consumer Discretionary",
  "Consumer Staples",
  "Energy",
  "Financials",
  "Health Care",
  "Industrials",
  "Information Technology",
  "Materials",
  "Real Estate",
  "Utilities",
] as const;
export type SectorName = (typeof SECTORS)[number];

/** What stands for a sector that no source names. */
export const NO_SECTOR = "Unknown";

/** The sector, or null where it is unknown: then limits count it as a part of the fullest one. */
export const knownSector = (sector: string | null | undefined): string | null =>
  sector === undefined || sector === null || sector === "" || sector === NO_SECTOR ? null : sector;

type Range = readonly [first: number, last: number, sector: SectorName | "ETF"];

/**
 * Ranges of the SEC's standard industrial classification, ascending and without overlap. The SEC classifies by activity, GICS by
 * market: a few hundred companies differ. Where one code holds many kinds, the sector of its largest companies stands.
 */
export const SIC_RANGES: readonly Range[] = [
  [100, 799, "Consumer Staples"], // crops, livestock, agricultural services
  [800, 899, "Materials"], // forestry
  [900, 999, "Consumer Staples"], // fishing
  [1000, 1199, "Materials"], // metal mining
  [1200, 1399, "Energy"], // coal, oil and gas
  [1400, 1499, "Materials"], // quarrying
  [1500, 1519, "Industrials"],
  [1520, 1539, "Consumer Discretionary"], // home builders
  [1540, 1799, "Industrials"], // heavy construction, contractors
  [2000, 2199, "Consumer Staples"], // food, beverages, tobacco
  [2200, 2399, "Consumer Discretionary"], // textiles, apparel
  [2400, 2449, "Materials"], // lumber
  [2450, 2519, "Consumer Discretionary"], // mobile homes, furniture
  [2520, 2599, "Industrials"], // office furniture
  [2600, 2699, "Materials"], // paper, packaging
  [2700, 2749, "Communication Services"], // publishing
  [2750, 2799, "Industrials"], // commercial printing
  [2800, 2832, "Materials"], // chemicals, plastics
  [2833, 2836, "Health Care"], // drugs, biological products
  [2837, 2839, "Materials"],
  [2840, 2844, "Consumer Staples"], // soap, cosmetics
  [2845, 2899, "Materials"],
  [2900, 2949, "Energy"], // refining
  [2950, 2952, "Materials"], // asphalt
  [2953, 2999, "Energy"],
  [3000, 3049, "Consumer Discretionary"], // tires, footwear
  [3050, 3099, "Materials"], // rubber, plastics
  [3100, 3199, "Consumer Discretionary"], // leather
  [3200, 3399, "Materials"], // glass, cement, steel, metals
  [3400, 3412, "Materials"], // metal cans
  [3413, 3532, "Industrials"], // metal products, machinery
  [3533, 3533, "Energy"], // oil field machinery
  [3534, 3558, "Industrials"],
  [3559, 3559, "Information Technology"], // special machinery: mostly of semiconductors
  [3560, 3569, "Industrials"],
  [3570, 3579, "Information Technology"], // computers
  [3580, 3629, "Industrials"], // refrigeration, electrical equipment
  [3630, 3639, "Consumer Discretionary"], // household appliances
  [3640, 3649, "Industrials"], // lighting, wiring
  [3650, 3659, "Consumer Discretionary"], // audio and video
  [3660, 3689, "Information Technology"], // communications equipment, semiconductors, components
  [3690, 3699, "Industrials"], // batteries
  [3700, 3719, "Consumer Discretionary"], // cars and their parts
  [3720, 3749, "Industrials"], // aircraft, ships, railroads
  [3750, 3759, "Consumer Discretionary"], // motorcycles, bicycles
  [3760, 3789, "Industrials"], // missiles, space
  [3790, 3799, "Consumer Discretionary"],
  [3800, 3819, "Industrials"], // navigation
  [3820, 3825, "Information Technology"], // controls, test and measurement
  [3826, 3826, "Health Care"], // laboratory instruments
  [3827, 3839, "Information Technology"],
  [3840, 3859, "Health Care"], // medical instruments
  [3860, 3869, "Information Technology"], // photographic equipment
  [3870, 3949, "Consumer Discretionary"], // watches, jewelry, toys, sports
  [3950, 3999, "Industrials"],
  [4000, 4399, "Industrials"], // rail, road, post
  [4400, 4400, "Consumer Discretionary"], // cruises
  [4401, 4599, "Industrials"], // shipping, airlines
  [4600, 4699, "Energy"], // pipelines
  [4700, 4700, "Consumer Discretionary"], // travel services
  [4701, 4799, "Industrials"], // freight services
  [4800, 4899, "Communication Services"],
  [4900, 4921, "Utilities"],
  [4922, 4923, "Energy"], // gas transmission
  [4924, 4949, "Utilities"],
  [4950, 4959, "Industrials"], // waste
  [4960, 4999, "Utilities"],
  [5000, 5009, "Industrials"], // wholesale
  [5010, 5029, "Consumer Discretionary"], // vehicles, furniture
  [5030, 5044, "Industrials"],
  [5045, 5046, "Information Technology"], // computers
  [5047, 5049, "Health Care"], // medical equipment
  [5050, 5059, "Materials"], // metals
  [5060, 5063, "Industrials"],
  [5064, 5064, "Consumer Discretionary"],
  [5065, 5069, "Information Technology"], // electronic parts
  [5070, 5089, "Industrials"],
  [5090, 5099, "Consumer Discretionary"],
  [5100, 5119, "Industrials"],
  [5120, 5129, "Health Care"], // drugs
  [5130, 5139, "Consumer Discretionary"], // apparel
  [5140, 5159, "Consumer Staples"], // groceries, farm products
  [5160, 5169, "Materials"], // chemicals
  [5170, 5179, "Energy"], // petroleum
  [5180, 5199, "Consumer Staples"],
  [5200, 5330, "Consumer Discretionary"], // building materials, department stores
  [5331, 5331, "Consumer Staples"], // variety stores
  [5332, 5399, "Consumer Discretionary"],
  [5400, 5499, "Consumer Staples"], // food stores
  [5500, 5911, "Consumer Discretionary"], // cars, apparel, furniture, restaurants
  [5912, 5912, "Consumer Staples"], // drug stores
  [5913, 5999, "Consumer Discretionary"],
  [6000, 6220, "Financials"], // banks, credit, brokers
  [6221, 6221, "ETF"], // commodity trusts
  [6222, 6323, "Financials"],
  [6324, 6324, "Health Care"], // health plans
  [6325, 6499, "Financials"],
  [6500, 6599, "Real Estate"],
  [6700, 6721, "Financials"], // holding offices
  [6722, 6726, "ETF"], // management investment offices, unit investment trusts
  [6727, 6791, "Financials"], // blank checks
  [6792, 6792, "Energy"], // oil royalties
  [6793, 6794, "Industrials"],
  [6795, 6795, "Materials"], // mineral royalties
  [6796, 6797, "Financials"],
  [6798, 6798, "Real Estate"], // real estate investment trusts
  [6799, 6799, "Financials"],
  [7000, 7299, "Consumer Discretionary"], // hotels, personal services
  [7300, 7319, "Communication Services"], // advertising
  [7320, 7329, "Financials"], // credit reporting
  [7330, 7369, "Industrials"], // services to buildings, rental, staffing
  [7370, 7370, "Communication Services"], // programming and data processing: internet platforms
  [7371, 7379, "Information Technology"], // software
  [7380, 7388, "Industrials"],
  [7389, 7389, "Financials"], // business services: mostly payments
  [7390, 7799, "Industrials"], // vehicle rental, repair
  [7800, 7899, "Communication Services"], // motion pictures
  [7900, 7999, "Consumer Discretionary"], // amusement
  [8000, 8099, "Health Care"],
  [8100, 8199, "Industrials"], // legal services
  [8200, 8399, "Consumer Discretionary"], // education, social services
  [8400, 8730, "Industrials"], // engineering
  [8731, 8734, "Health Care"], // research, testing laboratories
  [8735, 8799, "Industrials"], // management services
];

/** The sector of an industry (standard industrial classification, four digits); null where the code says none. */
export function sectorOfSic(sic: number): SectorName | "ETF" | null {
  return SIC_RANGES.find(([first, last]) => sic >= first && sic <= last)?.[2] ?? null;
}

/** Financial Modeling Prep's own names of sectors, in GICS's words; other names stay as they are. */
const MORNINGSTAR: Record<string, SectorName> = {
  "Basic Materials": "Materials",
  "Consumer Cyclical": "Consumer Discretionary",
  "Consumer Defensive": "Consumer Staples",
  "Financial Services": "Financials",
  Healthcare: "Health Care",
  Technology: "Information Technology",
};

/** A vendor's name of a sector in the words of GICS: two vendors' names of one sector must not count as two. */
export function sectorNamed(name: string): string {
  return Object.hasOwn(MORNINGSTAR, name) ? MORNINGSTAR[name]! : name;
}
