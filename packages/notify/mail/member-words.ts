import type { EventData, EventType } from '../events/event.ts'
import { withoutLinks } from './names.ts'

type MemberEvent = Extract<EventType, `member.${string}` | `invitation.${string}`>

interface Words {
  subject: string
  paragraphs: readonly string[]
}

/**
 * Of who belongs to an organization; what these events tell is in `packages/storage/organizations/tell.ts`.
 * @param memberName as it is when the letter is written; null: there is none
 */
export function memberWords(type: MemberEvent, data: EventData, memberName: string | null): Words {
  const { role, member_id: memberId, previous_role: roleBefore } = data as Record<string, string>
  const who = memberName === null ? 'A member' : `"${withoutLinks(memberName)}"`
  const about = memberId === undefined ? [] : [`Member: ${memberId}`]
  switch (type) {
    case 'member.joined':
      if (data['kind'] === 'service')
        return {
          subject: 'A service account was made',
          paragraphs: [`The service account ${who} was made in the organization.`, ...about],
        }
      return {
        subject: `${who} joined as ${role}`,
        paragraphs: [`${who} joined the organization as ${role}${wayOf(data)}.`, ...about],
      }
    case 'member.role_changed':
      return {
        subject: `${who} is ${role} now`,
        paragraphs: [`The role of ${who} was changed from ${roleBefore} to ${role}.`, ...about],
      }
    case 'member.left':
      return {
        subject: `${who} has left`,
        paragraphs: [`${who}, whose role was ${role}, has left the organization.`, keysOf(data), ...about],
      }
    case 'member.removed':
      return {
        subject: `${who} was removed`,
        paragraphs: [
          data['source'] === 'claims'
            ? `The identity provider gives ${who} no role here any more; it was ${role}.`
            : `${who}, whose role was ${role}, was removed from the organization.`,
          keysOf(data),
          ...about,
        ],
      }
    case 'invitation.created':
      return {
        subject: `An invitation was made, as ${role}`,
        paragraphs: [
          `A link was made by which somebody may join the organization as ${role}` +
            `${data['is_for_address'] === true ? ', for one address alone' : ''}.`,
          'Revoke it if it should not be.',
        ],
      }
    case 'invitation.revoked':
      return {
        subject: `An invitation as ${role} was withdrawn`,
        paragraphs: ['Nobody can join by its link any more.'],
      }
  }
}

function wayOf(data: EventData): string {
  if (data['source'] === 'invitation') return ', by an invitation'
  return data['source'] === 'claims' ? ', by what the identity provider tells' : ''
}

function keysOf(data: EventData): string {
  return data['keys'] === 'revoked'
    ? 'Their keys are revoked.'
    : 'Their keys are the organization’s now, and work on, also for whoever knows a secret. Rotate them to ' +
        'end that.'
}
