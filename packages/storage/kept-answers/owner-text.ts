import type { AnswerOwner } from '@turnpike/gateway'

/** The owner of an answer within its account, as one text. Prefixes keep members and projects apart. */
export function ownerText({ memberId, projectId }: Omit<AnswerOwner, 'accountId'>): string {
  return [memberId, projectId].filter((id) => id !== null).join(' ')
}
