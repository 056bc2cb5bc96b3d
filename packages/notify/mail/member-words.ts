import type { EventData, EventType } from '../events/event.ts'
import { withoutLinks } from './names.ts'

type MemberEvent = Extract<EventType, `member.${string}` | `invitation.${string}`>

interface Words {
  subject: string
  paragraphs: readonly string[]
}

/**
 * The text about a change in an organization's members; `packages/storage/organizations/raise.ts` writes the
 * data of these events.
 * @param memberName the name when the mail is written; null if the member has none
 */
export function memberWords(type: MemberEvent, data: EventData, memberName: string | null): Words {
  const { role, member_id: memberId, previous_role: roleBefore } = data as Record<string, string>
  const who = memberName === null ? 'A member' : `"${withoutLinks(memberName)}"`
  const about = memberId === undefined ? [] : [`Member: ${memberId}`]
  switch (type) {
    case 'member.joined':
      if (data['kind'] === 'service')
        return {
          subject: 'A service account was created',
          paragraphs: [`The service account ${who} was created in the organization.`, ...about],
        }
      return {
        subject: `${who} joined as ${role}`,
        paragraphs: [`${who} joined the organization as ${role}${wayOf(data)}.`, ...about],
      }
    case 'member.role_changed':
      return {
        subject: `${who} is now ${role}`,
        paragraphs: [`The role of ${who} was changed from ${roleBefore} to ${role}.`, ...about],
      }
    case 'member.left':
      return {
        subject: `${who} left`,
        paragraphs: [`${who}, whose role was ${role}, has left the organization.`, keysOf(data), ...about],
      }
    case 'member.removed':
      return {
        subject: `${who} was removed`,
        paragraphs: [
          data['source'] === 'claims'
            ? `The identity provider no longer gives ${who} a role here. The role was ${role}.`
            : `${who}, whose role was ${role}, was removed from the organization.`,
          keysOf(data),
          ...about,
        ],
      }
    case 'invitation.created':
      return {
        subject: `Somebody was invited as ${role}`,
        paragraphs: [
          `An invitation link was created. Whoever uses it joins the organization as ${role}` +
            `${data['is_for_address'] === true ? '; it is for one email address only' : ''}.`,
          'Revoke it if you do not want this.',
        ],
      }
    case 'invitation.revoked':
      return {
        subject: `An invitation as ${role} was revoked`,
        paragraphs: ['Its link no longer works.'],
      }
  }
}

function wayOf(data: EventData): string {
  if (data['source'] === 'invitation') return ' through an invitation'
  return data['source'] === 'claims' ? ' through the identity provider' : ''
}

function keysOf(data: EventData): string {
  return data['keys'] === 'revoked'
    ? 'Their keys were revoked.'
    : 'Their keys now belong to the organization and keep working for anyone who knows them. Rotate them ' +
        'to stop that.'
}
