import { useKeyNames } from './key-names.ts'
import type { Budget } from './budget-queries.ts'
import { memberName, useMembers, useProjects } from './team.ts'

export type BudgetScope = Budget['scope']
export type BudgetPeriod = Budget['period']

export const periodNames: Record<BudgetPeriod, string> = {
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in total',
}

/** What a budget applies to, in words: `tag team:search`. */
export function useSubjectName(
  shown: readonly Pick<Budget, 'scope'>[],
): (budget: Pick<Budget, 'scope' | 'subject'>) => string {
  const has = (scope: BudgetScope): boolean => shown.some((one) => one.scope === scope)
  const members = useMembers(has('member'))
  const projects = useProjects(has('project'))
  const keyNames = useKeyNames(has('key'))
  return ({ scope, subject }) => {
    const id = subject ?? ''
    if (scope === 'organization') return 'the whole account'
    if (scope === 'project') return `project ${projects.find((one) => one.id === id)?.name ?? id}`
    if (scope === 'key') return `key ${keyNames.get(id) ?? id}`
    if (scope !== 'member') return `${scope} ${id}`
    const member = members.find((one) => one.id === id)
    return `member ${member === undefined ? id : memberName(member)}`
  }
}
