import type { NewConnection } from '@servery/contract';
import type { Faults } from '../../../http/faults.ts';
import type { Caller } from '../../../http/operation.ts';
import { readEmail } from '../../../text/email.ts';
import type { Employee } from '../../connection-store.ts';

const nobody: Employee = { firstName: null, lastName: null, email: null, phone: null };

/** People act in their own name; accounts may name an employee. Throws ApiError if invalid. */
export function employeeOf(
  sent: NewConnection['employee'],
  caller: Caller,
  faults: Faults,
): Employee {
  if (caller.type === 'PERSON') {
    if (sent) faults.add(['employee'], 'must be left out if you are logged in as a person');
    faults.refuse();
    return { ...nobody, ...namesOf(caller.name), email: caller.email };
  }
  const employee = { ...nobody, ...sent };
  // Partners write to this address. It stays as sent: it grants no access here.
  if (employee.email !== null && readEmail(employee.email) === null) {
    faults.add(['employee', 'email'], 'must be an email address, for example ada@example.com');
  }
  faults.refuse();
  return employee;
}

/** Partners expect two names: the last word counts as the last name. */
function namesOf(name: string): Pick<Employee, 'firstName' | 'lastName'> {
  const words = name.trim().split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? null) : null;
  return { firstName: words.join(' '), lastName };
}
