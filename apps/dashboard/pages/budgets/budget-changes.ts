import type { Budget } from '../../api/budget-queries.ts'
import { api, type Asked } from '../../api/client.ts'
import type { Customer } from '../../api/customer-queries.ts'
import type { changesBody, creationBody } from './budget-values.ts'

/*
 * Of the account that is acted for, or of a customer's, by an operator. Each is asked for at an address of
 * its own.
 */

type Changed = Asked<Budget>

export function createBudget(
  customer: Customer | undefined,
  header: { 'Idempotency-Key': string },
  body: ReturnType<typeof creationBody>,
): Changed {
  return customer === undefined
    ? api.POST('/api/v1/budgets', { params: { header }, body })
    : api.POST('/api/v1/admin/accounts/{account_id}/budgets', {
        params: { header, path: { account_id: customer.id } },
        body,
      })
}

export function updateBudget(
  customer: Customer | undefined,
  { id }: Budget,
  body: ReturnType<typeof changesBody>,
): Changed {
  const path = { budget_id: id }
  return customer === undefined
    ? api.PATCH('/api/v1/budgets/{budget_id}', { params: { path }, body })
    : api.PATCH('/api/v1/admin/accounts/{account_id}/budgets/{budget_id}', {
        params: { path: { ...path, account_id: customer.id } },
        body,
      })
}

export function deleteBudget(customer: Customer | undefined, { id }: Budget): Changed {
  const path = { budget_id: id }
  return customer === undefined
    ? api.DELETE('/api/v1/budgets/{budget_id}', { params: { path } })
    : api.DELETE('/api/v1/admin/accounts/{account_id}/budgets/{budget_id}', {
        params: { path: { ...path, account_id: customer.id } },
      })
}
