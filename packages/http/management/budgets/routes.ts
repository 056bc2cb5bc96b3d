import { type Budget, type BudgetRefusal, type BudgetSpent } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import { Type } from 'typebox'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { timeQuery } from '../time-range.ts'
import { identifierOf, requestObject } from '../validation/fields.ts'
import { budgetChanges, budgetOf, changesSchema, creationSchema } from './body.ts'
import { budgetRecord, budgetSchema } from './record.ts'
import { budgetReport, forecastRange, reportRange, reportSchema } from './report.ts'
import { notFound, requireFound } from '../not-found.ts'

/** When to retry: nodes of an older version may be gone by then. */
const retrySeconds = 60

/** An account's budgets: created, listed, changed, deleted, reported on. */
export const registerBudgets: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object(scope.params)

  app.post(
    path,
    { schema: { params, body: creationSchema, response: { 201: budgetSchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const nowMs = services.clock()
      const newBudget = budgetOf(accountId, request.body, services)
      const budget = requireAccepted(await services.budgets.create(newBudget, nowMs))
      services.onAccountChanged(accountId)
      return reply.code(201).send(budgetRecord(budget, await readSpend(budget, services), nowMs))
    },
  )

  app.get(
    path,
    { schema: { params, querystring: requestObject(pageQuery), response: { 200: listOf(budgetSchema) } } },
    async (request) => {
      const { id } = await scope.account(request)
      const page = await services.budgets.list(id, pageOf(request.query), scope.onlyOf(request))
      const nowMs = services.clock()
      const spent = await services.budgets.findSpent(page.rows, nowMs)
      return listAnswer(page, (budget) => budgetRecord(budget, spent.get(budget.id) ?? nothing, nowMs))
    },
  )
  registerBudget(app, `${path}/:budget_id`, scope, services)
}

const registerBudget: ScopedRoutes = (app, path, scope, services) => {
  const params = Type.Object({ ...scope.params, budget_id: identifierOf('bud') })
  const { budgets } = services

  app.get(path, { schema: { params, response: { 200: budgetSchema } } }, async (request) => {
    const { id } = await scope.account(request)
    const budget = requireFound(
      await budgets.find(id, request.params.budget_id, scope.onlyOf(request)),
      'Budget',
    )
    return budgetRecord(budget, await readSpend(budget, services), services.clock())
  })

  app.patch(
    path,
    { schema: { params, body: changesSchema, response: { 200: budgetSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const nowMs = services.clock()
      const changes = budgetChanges(request.body)
      const result = await budgets.update(id, request.params.budget_id, changes, nowMs)
      const budget = requireAccepted(requireFound(result, 'Budget'))
      await announceChange(budget, services)
      return budgetRecord(budget, await readSpend(budget, services), nowMs)
    },
  )

  app.delete(path, { schema: { params, response: { 200: budgetSchema } } }, async (request) => {
    const { id } = await scope.account(request)
    const nowMs = services.clock()
    const found = requireFound(
      await budgets.find(id, request.params.budget_id, scope.onlyOf(request)),
      'Budget',
    )
    const spent = await readSpend(found, services)
    const budget = requireFound(await budgets.remove(id, found.id, nowMs), 'Budget')
    await announceChange(budget, services)
    return budgetRecord(budget, { ...spent, reservedPico: 0n }, nowMs)
  })

  app.get(
    `${path}/report`,
    { schema: { params, querystring: requestObject(timeQuery), response: { 200: reportSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const nowMs = services.clock()
      const budget = requireFound(
        await budgets.find(id, request.params.budget_id, scope.onlyOf(request)),
        'Budget',
      )
      const range = reportRange(budget, request.query, nowMs)
      const { days, usagePico } = await budgets.days(budget, range.fromMs, range.toMs)
      const before = forecastRange(nowMs)
      const { days: lastDays } = await budgets.days(budget, before.fromMs, before.toMs)
      const spent = await readSpend(budget, services)
      return budgetReport(budget, { spent, range, days, usagePico, lastDays }, nowMs)
    },
  )
}

const nothing: BudgetSpent = { spentPico: 0n, reservedPico: 0n }

async function readSpend(
  budget: Budget,
  { budgets, clock }: Pick<ManagementServices, 'budgets' | 'clock'>,
): Promise<BudgetSpent> {
  return (await budgets.findSpent([budget], clock())).get(budget.id) ?? nothing
}

/** Makes nodes read keys again and return their leases, which were within the old limits. */
async function announceChange(budget: Budget, services: ManagementServices): Promise<void> {
  services.onAccountChanged(budget.accountId)
  await services.releaseBudget(budget)
}

function requireAccepted(result: { budget: Budget } | BudgetRefusal): Budget {
  if ('budget' in result) return result.budget
  switch (result.refused) {
    case 'exists':
      throw new GatewayError(
        'conflict_error',
        `A budget like this already exists: ${result.budgetId}. Change that one (PATCH).`,
      )
    case 'too-many':
      throw new GatewayError('conflict_error', `An account can have at most ${result.most} budgets.`)
    case 'unknown-subject':
      throw notFound('Key, member or project', 'subject')
    case 'older-nodes':
      throw new GatewayError(
        'service_unavailable',
        'Some nodes still run an older version, which does not enforce budgets. Try again once all of them ' +
          'have been updated.',
        { retryAfterSeconds: retrySeconds },
      )
  }
}
