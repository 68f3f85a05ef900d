import type {
  ChargeRequest,
  Discount,
  DiscountRequest,
  PricingContext,
  TaxRate,
} from '../../src/index.ts';
import {
  decimalOf,
  type Exact,
  inOneUnit,
  minor,
  product,
  quotient,
  rounded,
  split,
  sum,
  whole,
} from './exact.ts';
import { type Meet, type ModelSelection, Refusal } from './selection.ts';
import { lookUp } from './table.ts';

/** What the model says of a check, in minor units. */
export interface ModelCheck {
  readonly selections: readonly ModelPart[];
  /** In the order in which they were taken off. */
  readonly appliedDiscounts: readonly ModelDiscount[];
  readonly charges: readonly { readonly charge: bigint; readonly taxes: Taxes }[];
  readonly preDiscount: bigint;
  readonly amount: bigint;
  readonly tax: bigint;
  readonly gratuity: bigint;
}

/** A selection of the answer: one of the request, or what a BOGO split off. */
interface ModelPart {
  readonly of: ModelSelection;
  isSplit: boolean;
  quantity: Exact;
  /** What the guest pays for each line: at first, and what discounts left of it. */
  gross: bigint[];
  left: bigint[];
  /** Units that a BOGO bought. */
  bought: bigint;
  /** What is left for the restaurant, before and after discounts. */
  preDiscountPrice: bigint;
  price: bigint;
  readonly discounts: ModelDiscount[];
  readonly taxes: Taxes;
}

interface ModelDiscount {
  readonly guid: string;
  amount: bigint;
  nonTax: bigint;
  triggers: readonly { readonly part: ModelPart; readonly quantity: bigint }[];
}

/** By the GUID of the rate: the rate that was used, and the tax. */
export type Taxes = Map<string, { rate: number | null; tax: bigint }>;

export interface ModelCheckRequest {
  readonly selections: readonly ModelSelection[];
  readonly appliedDiscounts: readonly DiscountRequest[];
  readonly appliedServiceCharges: readonly ChargeRequest[];
  readonly taxExempt: boolean;
}

type Pricing = Pick<PricingContext, 'configuration' | 'settings'>;

export function modelCheck(check: ModelCheckRequest, pricing: Pricing, meet: Meet): ModelCheck {
  return new CheckModel(check, pricing, meet).price();
}

class CheckModel {
  readonly check: ModelCheckRequest;
  readonly pricing: Pricing;
  readonly meet: Meet;
  parts: ModelPart[];

  constructor(check: ModelCheckRequest, pricing: Pricing, meet: Meet) {
    this.check = check;
    this.pricing = pricing;
    this.meet = meet;
    this.parts = check.selections.map((of) => partOf(of, of.quantity, false));
  }

  price(): ModelCheck {
    const discounts = this.check.appliedDiscounts.map((request) => ({
      request,
      discount: this.discountOf(request),
    }));
    this.discountItems();
    for (const { discount } of discounts) {
      if (discount.type === 'BOGO') this.giveBogo(discount);
    }
    this.dropEmpty();
    for (const part of this.parts) part.preDiscountPrice = this.net(part, part.gross);
    const preDiscount = total(this.parts.map((part) => part.preDiscountPrice));
    const onCheck = discounts.filter(({ discount }) => discount.type !== 'BOGO');
    const isPercent = ({ discount }: { discount: Discount }) => discount.type === 'PERCENT';
    const inOrder = [...onCheck.filter((one) => !isPercent(one)), ...onCheck.filter(isPercent)];
    const appliedDiscounts = inOrder.map((one) => this.discountCheck(one.discount, one.request));
    if (appliedDiscounts.length > 1) this.meet('discount: several on a check');
    if (appliedDiscounts.length > 0 && this.parts.some((part) => part.discounts.length > 0)) {
      this.meet('discount: item and check');
    }
    this.tax();
    for (const part of this.parts) part.price = this.net(part, part.left);
    const net = total(this.parts.map(({ price }) => price));
    const charges = this.check.appliedServiceCharges.map((one) =>
      this.charge(one, preDiscount, net),
    );
    const inTotals = charges.filter(({ isGratuity }) => !isGratuity);
    const taxes = [...this.parts, ...charges].flatMap((one) => [...one.taxes.values()]);
    return {
      selections: this.parts,
      appliedDiscounts,
      charges,
      preDiscount,
      amount: net + total(inTotals.map(({ charge }) => charge)),
      tax: total(taxes.map(({ tax }) => tax)),
      gratuity:
        total(charges.map(({ charge }) => charge)) - total(inTotals.map(({ charge }) => charge)),
    };
  }

  // ---- ORD-32 to 34

  discountOf({ discount }: DiscountRequest): Discount {
    const found = this.pricing.configuration.discounts.find(({ guid }) => guid === discount.guid);
    if (!found) throw new Refusal('UNKNOWN_DISCOUNT');
    return found;
  }

  /** What an amount or a percentage takes from a sum. */
  sizeOf(discount: Discount, request: DiscountRequest, from: bigint): bigint {
    if (discount.type === 'PERCENT') return percentOf(from, discount.percentage ?? 0);
    const amount = discount.type === 'FIXED' ? discount.amount : request.discountAmount;
    return least(from, this.minor(amount ?? 0));
  }

  discountItems(): void {
    for (const part of this.parts) {
      for (const request of part.of.appliedDiscounts) {
        const discount = this.discountOf(request);
        const gross = total(part.left);
        const isOff = part.of.isVoided || !part.of.isDiscountable;
        if (!part.of.isDiscountable) this.meet('discount: undiscountable item');
        if (discount.type === 'PERCENT') this.meet('discount: item percent');
        if (discount.type === 'FIXED') this.meet('discount: item fixed');
        if (discount.type === 'OPEN_FIXED') this.meet('discount: item open');
        const amount = isOff ? 0n : this.sizeOf(discount, request, gross);
        this.takeOff(part, discount.guid, amount);
      }
    }
  }

  takeOff(part: ModelPart, guid: string, amount: bigint): ModelDiscount {
    const nonTax = this.lower(part, amount);
    const discount: ModelDiscount = { guid, amount, nonTax, triggers: [] };
    part.discounts.push(discount);
    return discount;
  }

  /** Lowers what is left of the lines, and gives by how much the net falls. */
  lower(part: ModelPart, amount: bigint): bigint {
    const before = this.net(part, part.left);
    const discounts = total(part.gross) - total(part.left) + amount;
    const weights = part.gross.map((gross) => (gross > 0n ? gross : 0n));
    const shares = split(discounts, weights);
    part.left = part.gross.map((gross, line) => gross - (shares[line] ?? 0n));
    if (amount > 0n && part.of.isTaxIncluded) this.meet('discount: of an included price');
    return before - this.net(part, part.left);
  }

  giveBogo(discount: Discount): void {
    const { buy, get } = discount.rule ?? {};
    if (!buy || !get) throw new Refusal('DISCOUNT_NOT_APPLICABLE');
    if (buy.items.length + buy.groups.length > 0) this.meet('BOGO: of some items');
    const open = () =>
      this.parts.filter(
        ({ of, discounts }) => !of.isVoided && of.itemGuid !== null && discounts.length === 0,
      );
    const isOf = ({ items, groups }: typeof buy, { of }: ModelPart) =>
      (items.length === 0 && groups.length === 0) ||
      items.includes(of.itemGuid ?? '') ||
      of.groupGuids.some((guid) => groups.includes(guid));
    const bought = new Map<ModelPart, bigint>();
    let wanted = BigInt(buy.quantity);
    for (const part of open()) {
      if (!isOf(buy, part)) continue;
      const units = least(wanted, unitsOf(part) - part.bought);
      if (units <= 0n) continue;
      bought.set(part, units);
      part.bought += units;
      wanted -= units;
    }
    if (wanted > 0n) throw new Refusal('BOGO_WITHOUT_BUY_ITEMS');
    const offered = open().filter((part) => isOf(get, part) && unitsOf(part) > part.bought);
    const priority = discount.itemPickingPriority ?? 'FIRST';
    if (priority !== 'FIRST' && offered.length > 1) this.meet('BOGO: picks by price');
    const unit = (part: ModelPart) => total(part.of.lines.map((line) => line.unit));
    const picked = offered.toSorted((one, other) => {
      const difference = Number(unit(one) - unit(other));
      return priority === 'FIRST' ? 0 : priority === 'LEAST_EXPENSIVE' ? difference : -difference;
    });
    let gettable = BigInt(get.quantity);
    if (picked.length === 0) throw new Refusal('BOGO_WITHOUT_GET_ITEMS');
    const triggers = [...bought].map(([part, quantity]) => ({ part, quantity }));
    if (this.parts.some(({ discounts }) => discounts.some((one) => one.triggers.length > 0))) {
      this.meet('BOGO: several');
    }
    for (const part of picked) {
      const units = least(gettable, unitsOf(part) - part.bought);
      if (units <= 0n) break;
      gettable -= units;
      const given = this.splitOff(part, units);
      const price = total(given.gross);
      this.meet(get.amountType === 'PERCENT' ? 'BOGO: percent' : 'BOGO: fixed');
      let amount = percentOf(price, get.value);
      if (get.amountType === 'FIXED') {
        const forOne = this.minor(get.value);
        amount = part.of.isMeasured ? least(forOne, price) : least(forOne, unit(part)) * units;
      }
      if (!part.of.isDiscountable) amount = 0n;
      this.takeOff(given, discount.guid, amount).triggers = triggers;
    }
  }

  /** The part that is given: all of it, or a new one behind its origin. */
  splitOff(part: ModelPart, units: bigint): ModelPart {
    const isSplitAlready = this.parts.some(({ of, isSplit }) => of === part.of && isSplit);
    if (!isSplitAlready && part.bought === 0n && units === unitsOf(part)) {
      this.meet('BOGO: whole selection');
      return part;
    }
    this.meet('BOGO: split');
    const given = partOf(part.of, whole(units), true);
    part.quantity = sum([part.quantity, whole(-units)]);
    part.gross = grossOf(part.of, part.quantity);
    part.left = [...part.gross];
    const last = this.parts.findLastIndex(({ of }) => of === part.of);
    this.parts.splice(last + 1, 0, given);
    return given;
  }

  /** Of a selection that was given away in parts, the first part stands in its place. */
  dropEmpty(): void {
    this.parts.forEach((part, index) => {
      const next = this.parts[index + 1];
      if (part.quantity.over === 0n && next) next.isSplit = false;
    });
    this.parts = this.parts.filter(({ quantity }) => quantity.over !== 0n);
  }

  discountCheck(discount: Discount, request: DiscountRequest): ModelDiscount {
    const { excludedItems = [], excludedGroups = [] } = discount.rule ?? {};
    const isExcluded = ({ of }: ModelPart) =>
      excludedItems.includes(of.itemGuid ?? '') ||
      of.groupGuids.some((guid) => excludedGroups.includes(guid));
    const parts = this.parts.filter(
      (part) => !part.of.isVoided && part.of.isDiscountable && !isExcluded(part),
    );
    if (this.parts.some(isExcluded)) this.meet('discount: excluded selections');
    if (discount.type === 'PERCENT') this.meet('discount: check percent');
    if (discount.type === 'FIXED') this.meet('discount: check fixed');
    if (discount.type === 'OPEN_FIXED') this.meet('discount: check open');
    const left = parts.map((part) => total(part.left));
    const amount = this.sizeOf(discount, request, total(left));
    const shares = split(amount, left);
    const nonTax = total(parts.map((part, index) => this.lower(part, shares[index] ?? 0n)));
    return { guid: discount.guid, amount, nonTax, triggers: [] };
  }

  // ---- ORD-37 to 40

  /** The rates of a line that tax it. */
  ratesOf(part: ModelPart, line: number): { rate: TaxRate; used: number | null }[] {
    return (part.of.lines[line]?.rates ?? []).flatMap((guid) => {
      const rate = this.pricing.configuration.taxRates.find((one) => one.guid === guid);
      if (!rate) throw new Refusal('UNKNOWN_TAX_RATE');
      return this.isTaxing(rate) ? [{ rate, used: this.usedRate(rate, part.of.isTakeOut) }] : [];
    });
  }

  isTaxing({ type }: TaxRate): boolean {
    if (type === 'NONE' || type === 'EXTERNAL') this.meet('tax: not listed');
    return type !== 'NONE' && type !== 'EXTERNAL';
  }

  usedRate({ rate, type, conditionalTaxRates }: TaxRate, isTakeOut: boolean): number | null {
    if (type === 'TABLE') return null;
    const other = conditionalTaxRates.find(({ condition }) => condition === 'TAKE_OUT');
    if (!isTakeOut || !other) return rate;
    this.meet('tax: for take-out');
    return other.rate;
  }

  fixedTax(part: ModelPart, rate: number | null): bigint {
    const forOne = product(decimalOf(rate ?? 0), this.unitsOfMoney());
    const quantity = part.of.isMeasured ? whole(1n) : part.quantity;
    return rounded(product(forOne, quantity), 'HALF_UP');
  }

  /** ORD-39: the taxes that a line holds, if the guest pays so much for it. */
  includedTaxes(
    part: ModelPart,
    line: number,
    gross: bigint,
  ): { rate: TaxRate; used: number | null; tax: bigint }[] {
    const rates = this.ratesOf(part, line);
    let left = gross;
    const fixed = new Map<TaxRate, bigint>();
    for (const { rate, used } of rates) {
      if (rate.type !== 'FIXED') continue;
      const tax = least(this.fixedTax(part, used), left > 0n ? left : 0n);
      fixed.set(rate, tax);
      left -= tax;
      this.meet('tax: included fixed');
    }
    const percents = rates.filter(({ rate }) => rate.type === 'PERCENT');
    const divisor = sum([whole(1n), ...percents.map(({ used }) => decimalOf(used ?? 0))]);
    const base = left;
    return rates.map(({ rate, used }) => {
      if (rate.type === 'FIXED') return { rate, used, tax: fixed.get(rate) ?? 0n };
      this.meet('tax: included percent');
      const exact = quotient(product(whole(base), decimalOf(used ?? 0)), divisor);
      const tax = rounded(exact, rate.roundingType ?? 'HALF_UP');
      // Several taxes that are rounded up don't exceed the price either.
      const taken = gross < 0n ? tax : least(tax, left);
      left -= taken;
      return { rate, used, tax: taken };
    });
  }

  net(part: ModelPart, amounts: readonly bigint[]): bigint {
    if (part.of.isVoided) return 0n;
    if (!part.of.isTaxIncluded) return total(amounts);
    return total(
      amounts.map((amount, line) => {
        const taxes = this.includedTaxes(part, line, amount);
        return amount - total(taxes.map(({ tax }) => tax));
      }),
    );
  }

  tax(): void {
    const { percentTaxBasis } = this.pricing.settings;
    const taxed = this.parts.filter(({ of }) => !of.isVoided);
    if (this.check.taxExempt) {
      this.meet('tax: exempt');
      if (taxed.some(({ of }) => of.isTaxIncluded)) this.meet('tax: exempt with an included price');
      return;
    }
    const pools = new Map<string, Pool>();
    for (const part of taxed) {
      part.left.forEach((amount, line) => {
        if (part.of.isTaxIncluded) {
          for (const { rate, used, tax } of this.includedTaxes(part, line, amount)) {
            addTax(part.taxes, rate.guid, used, tax);
          }
          return;
        }
        for (const { rate, used } of this.ratesOf(part, line)) {
          const isPooled =
            rate.type === 'TABLE' || (rate.type === 'PERCENT' && percentTaxBasis === 'check');
          if (isPooled) {
            addTax(part.taxes, rate.guid, used, 0n);
            const pool = pools.get(rate.guid) ?? { rate, lines: [] };
            pools.set(rate.guid, pool);
            pool.lines.push({ part, used, amount });
          } else if (rate.type === 'FIXED') {
            this.meet('tax: fixed');
            addTax(part.taxes, rate.guid, used, this.fixedTax(part, used));
          } else addTax(part.taxes, rate.guid, used, this.percentTax(rate, used, amount));
        }
      });
    }
    for (const { rate, lines } of pools.values()) {
      // A table has no rate: what it taxes is shared by the amounts.
      const exact = lines.map(({ used, amount }) => product(whole(amount), decimalOf(used ?? 1)));
      const isTable = rate.type === 'TABLE';
      if (!isTable) this.meet('tax: by check');
      const tax = isTable
        ? this.taxOn(rate, null, total(lines.map(({ amount }) => amount)))
        : rounded(sum(exact), rate.roundingType ?? 'HALF_UP');
      split(tax, inOneUnit(exact)).forEach((share, index) => {
        const line = lines[index];
        if (line) addTax(line.part.taxes, rate.guid, line.used, share);
      });
    }
  }

  percentTax({ roundingType }: TaxRate, used: number | null, amount: bigint): bigint {
    const rounding = roundingType ?? 'HALF_UP';
    const exact = product(whole(amount), decimalOf(used ?? 0));
    this.meet('tax: percent');
    if (exact.over % exact.under !== 0n) this.meet(`rounding: ${rounding}`);
    return rounded(exact, rounding);
  }

  /** What one look-up or one multiplication gives. */
  taxOn(rate: TaxRate, used: number | null, amount: bigint): bigint {
    if (rate.type === 'PERCENT') return this.percentTax(rate, used, amount);
    this.meet('tax: table');
    return lookUp(rate.taxTable, amount, (one) => this.minor(one), this.meet);
  }

  // ---- ORD-36

  charge(request: ChargeRequest, preDiscount: bigint, net: bigint) {
    const { configuration } = this.pricing;
    const found = configuration.serviceCharges.find(
      ({ guid }) => guid === request.serviceCharge.guid,
    );
    if (!found) throw new Refusal('UNKNOWN_SERVICE_CHARGE');
    const isAfter = found.serviceChargeCalculation === 'POST_DISCOUNT';
    let charge: bigint;
    if (found.amountType === 'FIXED') {
      this.meet('charge: fixed');
      charge = this.minor(found.amount ?? 0);
    } else if (found.amountType === 'OPEN') {
      if ((request.chargeAmount ?? null) === null) throw new Refusal('CHARGE_WITHOUT_AMOUNT');
      this.meet('charge: open');
      charge = this.minor(request.chargeAmount ?? 0);
    } else {
      this.meet(isAfter ? 'charge: percent after discounts' : 'charge: percent before discounts');
      charge = percentOf(isAfter ? net : preDiscount, found.percent ?? 0);
    }
    const taxes: Taxes = new Map();
    if (found.gratuity) this.meet('charge: gratuity');
    for (const { guid } of found.taxable && !this.check.taxExempt ? found.applicableTaxes : []) {
      const rate = configuration.taxRates.find((one) => one.guid === guid);
      if (!rate) throw new Refusal('UNKNOWN_TAX_RATE');
      if (!this.isTaxing(rate)) continue;
      this.meet('charge: taxed');
      const used = this.usedRate(rate, false);
      const fixed = rate.type === 'FIXED' ? this.minor(used ?? 0) : null;
      addTax(taxes, guid, used, fixed ?? this.taxOn(rate, used, charge));
    }
    return { charge, taxes, isGratuity: found.gratuity };
  }

  unitsOfMoney(): Exact {
    return whole(10n ** BigInt(this.pricing.settings.currencyExponent));
  }

  minor(amount: number): bigint {
    return minor(amount, this.pricing.settings.currencyExponent);
  }
}

interface Pool {
  readonly rate: TaxRate;
  readonly lines: {
    readonly part: ModelPart;
    readonly used: number | null;
    readonly amount: bigint;
  }[];
}

function partOf(of: ModelSelection, quantity: Exact, isSplit: boolean): ModelPart {
  const gross = grossOf(of, quantity);
  return {
    ...{ of, isSplit, quantity, gross, bought: 0n },
    left: [...gross],
    ...{ preDiscountPrice: 0n, price: 0n },
    discounts: [],
    taxes: new Map(),
  };
}

/** ORD-30. What is weighed is rounded, as a whole and for each line but that of the item. */
function grossOf({ lines, isVoided }: ModelSelection, quantity: Exact): bigint[] {
  if (isVoided) return lines.map(() => 0n);
  const times = (unit: bigint) => rounded(product(whole(unit), quantity), 'HALF_UP');
  const others = lines.slice(1).map(({ unit }) => times(unit));
  return [times(total(lines.map(({ unit }) => unit))) - total(others), ...others];
}

/** What is weighed counts as one. */
function unitsOf({ of, quantity }: ModelPart): bigint {
  return of.isMeasured ? 1n : quantity.over / quantity.under;
}

function percentOf(amount: bigint, percent: number): bigint {
  const exact = quotient(product(whole(amount), decimalOf(percent)), whole(100n));
  return rounded(exact, 'HALF_EVEN');
}

function addTax(taxes: Taxes, guid: string, rate: number | null, tax: bigint): void {
  const known = taxes.get(guid);
  taxes.set(guid, { rate, tax: (known?.tax ?? 0n) + tax });
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((left, right) => left + right, 0n);
}
