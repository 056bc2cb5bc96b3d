import type { AnswerOwner } from '@turnpike/gateway'

/** Whose of an account an answer is, as one text: identifiers tell by their beginnings of what they are. */
export function ownerText({ memberId, projectId }: Omit<AnswerOwner, 'accountId'>): string {
  return [memberId, projectId].filter((id) => id !== null).join(' ')
}
