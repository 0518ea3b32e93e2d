/**
 * Headlines written and labelled by us, before any scorer was tried on them: companies are invented or stand for any, none is a quote.
 * The label is what the headline alone says for a holder of the stock that it is about: good news, bad news, or neither.
 * One kind of news comes in all three labels where there is such a thing, so that no topic gives its label away.
 */
const POSITIVE = `
Northfield Foods beats quarterly profit estimates as volumes recover
ARDN shares jump after strong third-quarter results
Corvel Systems raises full-year revenue guidance
Halden Bank profit rises 18% on higher interest income
Regulators approve Meridian Therapeutics' migraine drug
Tessaly Motors reports record deliveries in the fourth quarter
Brightwater Energy lifts dividend by 12%
Analyst upgrades Quanta Ridge to buy on margin strength
Pelion Software wins $400 million government contract
Sable Mining doubles reserves estimate at Chilean project
Vantage Retail same-store sales top expectations
Oakline REIT announces $1 billion share buyback
LUMN climbs 9% after swinging to a profit
Kestrel Air posts smaller-than-expected loss, shares rally
Judge dismisses lawsuit against Fenwick Medical
Short seller withdraws report on Altera Grid and apologizes
Dorsey Chemicals completes debt repayment ahead of schedule
Harrow Insurance's combined ratio improves for the fifth straight quarter
Novalis cancer trial meets primary endpoint
Stonebridge Capital sees assets under management hit an all-time high
Ketterick to be acquired by Ansel Group at a 45% premium
Orchid Networks signs five-year supply deal with major carrier
Moody's raises Plainview Utilities' rating one notch
Cinder Steel returns to profitability after two years of losses
Marlowe Pharma's vaccine shows 94% efficacy in late-stage study
TRVN guides above consensus for the fourth quarter
Belmont Toys holiday sales surge past forecasts
Wexford Semiconductors cannot keep up with demand for AI chips, orders swell
No layoffs planned at Granite Freight as bookings recover
Investigators clear Lowell Aerospace of wrongdoing
Cadence Homes says cancellations fall sharply, backlog grows
Arcadia Solar secures $2.1 billion in financing on favorable terms
Patent court upholds Zelmer's key drug patent
Ridgeway Hotels sees strongest bookings since 2019
Umbra Gaming's new title breaks sales records in its first week
Credit losses at Finley Bank come in below forecasts
Tolland Logistics cuts costs faster than planned, margins expand
Price target on DXLR lifted to $210 from $160 at brokerage
Perrin Oil discovers major field off Guyana
Kimball Dairy wins approval for merger without conditions
Hexa Cloud adds more subscribers than Wall Street expected
Not as bad as feared: Roland Tires' loss narrows, outlook raised
Everly Cosmetics misses on revenue but doubles profit outlook
Sutter Rail avoids strike as union ratifies contract
Aldous Labs gets breakthrough therapy designation
SPNR soars on takeover interest from private equity
Gresham Grocers raises forecast for the third time this year
Birch Telecom churn falls to record low
Insider buying picks up at Caldera Materials
Westbrook Banks passes stress test with ample capital
Tariff exemption lifts Mercer Appliances
Lyric Audio's order book is full through next year
Orion Freight's outlook is no longer negative, S&P says
Hollis Biotech partners with pharmaceutical giant in deal worth up to $3 billion
Delmar Auto Parts profit up 31%, beats by a wide margin
Falcon Point joins the S&P 500, shares gain
Nearly all analysts now recommend buying Ivory Networks
Coral Cruise Line reinstates dividend suspended during the downturn
Eastgate Paper's turnaround is ahead of plan, CEO says
Ramsey Tools gains market share from larger rivals
JNPR-like peer Tandem Systems sees robust demand for routers
FTC drops challenge to Langley's purchase of rival
Quill Education enrollment growth accelerates
Bastion Cyber reports blowout quarter, raises outlook
Grove Health settles patent fight on better terms than feared
Amberly's free cash flow triples
Noble Peak upgraded to outperform; valuation seen as attractive
Sentry Defense wins multi-year order worth $1.7 billion
Fuel cell maker Ignis turns first-ever profit
Hudson Apparel clears excess inventory without discounts
Teller Payments processes record volume over holiday weekend
Monroe Insurance hikes payout and authorizes buyback
OKTN rebounds as recall proves smaller than feared
Linden Pharma drug cuts heart attack risk by 30% in trial
Vireo Water wins rate increase from state commission
Strong demand drives Palmer Chips to best quarter in its history
Hartwell's profit tops views even as sales slip
Glacier Beverages exceeds targets in every region
Crestline Lithium shares pop as prices recover
Ascent Travel raises outlook, sees no slowdown in demand
Jasper Robotics lands Fortune 100 customer
Upbeat forecast sends Norwood Devices to a 52-week high
Citadel Paints boosts margins despite higher raw material costs
Tanager Biosciences wins appeal, generic rival blocked until 2031
Rowan Rail volumes improve, efficiency gains continue
Pilot Pantry comps accelerate to 7%, well ahead of guidance
Sierra Data inks landmark deal with national health service
Loss of Trident Shipping shrinks as rates recover
Everett Power's reactor restarts two months early
VLTA surges 14% as earnings crush estimates
Basin Gas hedges pay off, cash flow beats
Firm denies bankruptcy rumor, secures new credit line; Dunmore shares rebound
Larkspur Media narrows streaming losses and adds 6 million subscribers
Kepler Optics lifts outlook on smartphone recovery
Beacon Staffing sees hiring pick up, forecasts growth
Hanover Steel benefits from import curbs
Sage Orthopedics receives FDA clearance for knee robot
Polaris Foods' price increases stick, profit climbs
Redwood Capital: default rates fall, reserves released
Magnus Trucks' electric model outsells rivals
Investors cheer Thornbury's plan to spin off its profitable software unit
Emerson Lake REIT fully leases flagship tower
Gain for Cobalt Networks as rival exits the market
Zenith Freight earns investment-grade rating for the first time
`;

const NEGATIVE = `
Northfield Foods misses quarterly profit estimates as volumes drop
ARDN shares tumble after weak third-quarter results
Corvel Systems cuts full-year revenue guidance
Halden Bank profit falls 18% as loan losses mount
Regulators reject Meridian Therapeutics' migraine drug
Tessaly Motors deliveries fall short of expectations
Brightwater Energy slashes dividend by half
Analyst downgrades Quanta Ridge to sell on margin pressure
Pelion Software loses $400 million government contract
Sable Mining halts Chilean project after collapse
Vantage Retail same-store sales decline for a fourth quarter
Oakline REIT suspends share buyback to preserve cash
LUMN plunges 22% after surprise loss
Kestrel Air posts wider-than-expected loss, warns on fuel
Judge allows class-action lawsuit against Fenwick Medical to proceed
Short seller accuses Altera Grid of inflating sales
Dorsey Chemicals defaults on bond payment
Harrow Insurance hit by record catastrophe claims
Novalis cancer trial fails to meet primary endpoint
Stonebridge Capital suffers heavy outflows
Ketterick takeover collapses as Ansel Group walks away
Orchid Networks loses its largest customer
Moody's cuts Plainview Utilities' rating to junk
Cinder Steel swings to a loss on falling prices
Marlowe Pharma halts vaccine study over safety concerns
TRVN beats on earnings but guides below consensus
Belmont Toys warns of disappointing holiday sales
Wexford Semiconductors sees demand for memory chips weakening
Granite Freight to lay off 2,000 workers as bookings dry up
Investigators raid offices of Lowell Aerospace
Cadence Homes says cancellations surge as mortgage rates climb
Arcadia Solar files for Chapter 11 bankruptcy protection
Patent court invalidates Zelmer's key drug patent
Ridgeway Hotels sees bookings soften into the summer
Umbra Gaming delays flagship title again
Credit losses at Finley Bank exceed forecasts
Tolland Logistics says cost overruns will squeeze margins
Price target on DXLR slashed to $90 from $160 at brokerage
Perrin Oil writes down $3 billion of exploration assets
Regulator sues to block Kimball Dairy merger
Hexa Cloud adds fewer subscribers than Wall Street expected
Better than feared is not good enough: Roland Tires sinks on cautious outlook
Everly Cosmetics tops revenue estimates but profit outlook disappoints
Sutter Rail workers walk off the job
Aldous Labs receives complete response letter from FDA
SPNR sinks as takeover talks end without a deal
Gresham Grocers lowers forecast for the third time this year
Birch Telecom loses subscribers at a record pace
Insiders dump shares of Caldera Materials
Westbrook Banks fails stress test
New tariffs to hurt Mercer Appliances, executives warn
Lyric Audio's orders dry up
S&P revises Orion Freight's outlook to negative
Hollis Biotech's partner terminates collaboration
Delmar Auto Parts profit down 31%, misses by a wide margin
Falcon Point to be dropped from the S&P 500
Few analysts still recommend buying Ivory Networks
Coral Cruise Line suspends dividend, seeks emergency loan
Eastgate Paper's turnaround stalls, CEO ousted
Ramsey Tools loses market share to cheaper imports
Tandem Systems says customers are pushing out router orders
FTC challenges Langley's purchase of rival
Quill Education enrollment shrinks
Bastion Cyber discloses breach affecting 30 million accounts
Grove Health ordered to pay $1.2 billion in patent case
Amberly burns through cash faster than planned
Noble Peak cut to underperform; valuation seen as stretched
Sentry Defense barred from bidding on federal contracts
Fuel cell maker Ignis raises going-concern doubt
Hudson Apparel buried in unsold inventory, discounts deepen
Teller Payments outage hits merchants over holiday weekend
Monroe Insurance scraps payout
OKTN falls as recall widens to 1.4 million vehicles
Linden Pharma drug linked to liver damage
State commission denies Vireo Water's rate increase
Weak demand drives Palmer Chips to worst quarter in a decade
Hartwell's sales top views but profit slumps
Glacier Beverages falls short of targets in every region
Crestline Lithium shares slide as prices collapse
Ascent Travel trims outlook, sees no recovery in demand
Jasper Robotics loses Fortune 100 customer
Dismal forecast sends Norwood Devices to a 52-week low
Citadel Paints' margins shrink despite higher sales
Tanager Biosciences loses appeal, generic rival cleared
Rowan Rail derailment spills chemicals, cleanup costs to rise
Pilot Pantry comps turn negative
Sierra Data contract with national health service canceled
Loss at Trident Shipping widens as rates slump
Everett Power's reactor outage extended by six months
VLTA drops 14% despite earnings beat
Basin Gas hedges backfire, cash flow misses
Dunmore warns it may not be able to continue as a going concern
Larkspur Media's streaming losses deepen as subscribers flee
Kepler Optics does not expect smartphone recovery this year
Beacon Staffing sees hiring freeze, forecasts decline
Hanover Steel squeezed by cheap imports
Sage Orthopedics recalls knee implants
Polaris Foods fails to pass on higher costs, profit slips
Redwood Capital: delinquencies climb, provisions doubled
Magnus Trucks recalls electric model over fire risk
SEC charges Thornbury's former finance chief with fraud
Emerson Lake REIT's flagship tower loses anchor tenant
Cobalt Networks warns of price war with rival
Zenith Freight restates three years of results after accounting errors
`;

const NEUTRAL = `
Northfield Foods to report quarterly results on Thursday
ARDN shares little changed after in-line quarter
Corvel Systems reaffirms full-year revenue guidance
Halden Bank names new chief information officer
Meridian Therapeutics to present at healthcare conference
Tessaly Motors schedules annual shareholder meeting for May 14
Brightwater Energy keeps dividend unchanged
Analyst initiates coverage of Quanta Ridge at hold
Pelion Software moves headquarters to Austin
Sable Mining files technical report on Chilean project
Vantage Retail to open store in Denver
Oakline REIT announces tax treatment of 2025 distributions
LUMN: what to know before earnings
Kestrel Air and union to resume contract talks next week
Hearing in Fenwick Medical lawsuit set for March
Altera Grid responds to questions from shareholders
Dorsey Chemicals prices $500 million of senior notes
Harrow Insurance appoints two directors to its board
Novalis completes enrollment in cancer trial
Stonebridge Capital to webcast investor day
Ketterick sets date for shareholder vote on Ansel Group offer
Orchid Networks to change ticker symbol to ORCN
Moody's affirms Plainview Utilities' rating, outlook stable
Cinder Steel results match analysts' expectations
Marlowe Pharma begins mid-stage vaccine study
TRVN maintains fourth-quarter guidance
Belmont Toys unveils holiday lineup
Wexford Semiconductors to host analyst call on memory strategy
Granite Freight rebrands its brokerage unit
Lowell Aerospace files quarterly report with the SEC
Cadence Homes to build 120 houses near Tucson
Arcadia Solar changes fiscal year end to December
Patent court to hear arguments over Zelmer's drug in June
Ridgeway Hotels' chief operating officer to retire as planned
Umbra Gaming sets release date for flagship title
Finley Bank's net interest margin unchanged from a year ago
Tolland Logistics renames logistics software suite
Price target on DXLR kept at $160 at brokerage
Perrin Oil to drill two exploration wells off Guyana
Shareholders vote on Kimball Dairy merger
Hexa Cloud moves to monthly subscriber reporting
Roland Tires neither raises nor lowers its outlook
Everly Cosmetics launches spring collection
Sutter Rail and union extend contract by one year
Aldous Labs submits application to FDA
SPNR declines to comment on takeover speculation
Gresham Grocers tests self-checkout at ten stores
Birch Telecom to auction spectrum leases
Caldera Materials director exercises options
Westbrook Banks publishes stress test methodology
How tariffs work and what they mean for Mercer Appliances
Lyric Audio moves production from one plant to another
S&P keeps Orion Freight's outlook at stable
Hollis Biotech and partner extend collaboration by twelve months
Delmar Auto Parts profit flat from a year earlier
Index provider announces quarterly rebalancing; Falcon Point stays in
Analysts split on Ivory Networks ahead of results
Coral Cruise Line christens new ship
Eastgate Paper's chief executive speaks at industry forum
Ramsey Tools' market share steady at 14%
Tandem Systems publishes white paper on routers
FTC extends review of Langley's purchase of rival
Quill Education enrollment unchanged
Bastion Cyber to report results after the bell
Grove Health files response in patent case
Amberly's cash position in line with plan
Noble Peak rated neutral; valuation seen as fair
Sentry Defense to exhibit at Paris air show
Fuel cell maker Ignis appoints auditor
Hudson Apparel inventory level with last year
Teller Payments updates terms of service
Monroe Insurance declares regular quarterly payout
OKTN announces record date for annual meeting
Linden Pharma doses first patient in heart study
State commission opens review of Vireo Water's rates
Palmer Chips holds analyst day in San Jose
Hartwell's sales and profit both match views
Glacier Beverages reorganizes reporting regions
Crestline Lithium shares flat in thin trading
Ascent Travel sticks to its outlook
Jasper Robotics expands office in Pittsburgh
Norwood Devices trades near its 50-day average
Citadel Paints introduces new color of the year
Tanager Biosciences files appeal brief
Rowan Rail volumes in line with last year
Pilot Pantry comps unchanged
Sierra Data and national health service in talks over renewal
Trident Shipping takes delivery of two vessels
Everett Power's reactor enters scheduled refueling
VLTA options volume above average ahead of earnings
Basin Gas rolls its hedges into next year
Dunmore to hold extraordinary meeting of shareholders
Larkspur Media's subscriber count matches forecasts
Kepler Optics shows camera module at trade fair
Beacon Staffing expects hiring to stay at present levels
Hanover Steel output unchanged in October
Sage Orthopedics to relocate plant to Indiana
Polaris Foods changes packaging of cereal line
Redwood Capital: delinquency rate steady
Magnus Trucks reveals name of electric model
Thornbury's finance chief to speak at conference
Emerson Lake REIT refinances mortgage on flagship tower
Cobalt Networks and rival agree on technical standard
Zenith Freight changes auditor at end of regular rotation
`;

export type Label = "positive" | "negative" | "neutral";
export interface Headline {
  label: Label;
  text: string;
  /** Held out: no scorer was fitted to it. Every third one of each label. */
  isHeldOut: boolean;
}

const labelled = (label: Label, lines: string): Headline[] =>
  lines
    .trim()
    .split("\n")
    .map((text, i) => ({ label, text, isHeldOut: i % 3 === 2 }));

export const HEADLINES: readonly Headline[] = [
  ...labelled("positive", POSITIVE),
  ...labelled("negative", NEGATIVE),
  ...labelled("neutral", NEUTRAL),
];
