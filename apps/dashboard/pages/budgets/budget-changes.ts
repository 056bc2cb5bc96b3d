import type { Budget } from '../../api/budget-queries.ts'
import { api, type Asked } from '../../api/client.ts'
import type { Customer } from '../../api/customer-queries.ts'
import type { changesBody, creationBody } from './budget-values.ts'

/*
 * Changes budgets of the account that the tab acts for, or, by an operator, those of a customer. The two
 * have different API paths.
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
