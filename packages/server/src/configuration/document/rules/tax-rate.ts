import type { TaxRate, TaxTableRow } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

/** The type of a tax decides its other fields (CFG-5). */
export function checkTaxRate(tax: TaxRate, place: Place): void {
  const needsRate = tax.type === 'PERCENT' || tax.type === 'FIXED';
  if (needsRate && tax.rate === null) {
    place.fault(`is missing; taxes of type ${tax.type} need it`, 'rate');
  }
  if (!needsRate && tax.rate !== null) {
    place.fault(`must be null or absent for taxes of type ${tax.type}`, 'rate');
  }
  if (tax.rate !== null && tax.rate < 0) place.fault('must not be negative', 'rate');
  if (tax.type === 'PERCENT' && tax.rate !== null && tax.rate > 1) {
    place.fault('must be a fraction from 0 to 1: write 0.07 for seven percent', 'rate');
  }
  if ((tax.type === 'PERCENT') !== (tax.roundingType !== null)) {
    const message =
      tax.type === 'PERCENT'
        ? 'is missing; taxes of type PERCENT need it'
        : `must be null or absent for taxes of type ${tax.type}`;
    place.fault(message, 'roundingType');
  }
  if ((tax.type === 'TABLE') !== tax.taxTable.length > 0) {
    const message = tax.type === 'TABLE' ? 'needs rows' : 'must be empty unless type is TABLE';
    place.fault(message, 'taxTable');
  }
  checkRows(tax.taxTable, place);
  tax.conditionalTaxRates.forEach(({ rate }, index) => {
    if (rate >= 0 && rate <= 1) return;
    const message = 'must be a fraction from 0 to 1: write 0.05 for five percent';
    place.fault(message, 'conditionalTaxRates', index, 'rate');
  });
}

function checkRows(rows: readonly TaxTableRow[], place: Place): void {
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    if (row.end < row.start) {
      place.fault(`must not be less than start, which is ${row.start}`, 'taxTable', index, 'end');
    }
    if (before && row.start <= before.end) {
      const message = `must be more than ${before.end}, the end of the row before`;
      place.fault(message, 'taxTable', index, 'start');
    }
    if (row.tax < 0) place.fault('must not be negative', 'taxTable', index, 'tax');
  });
}
