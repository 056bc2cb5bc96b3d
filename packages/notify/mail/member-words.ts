import type { EventData, EventType } from '../events/event.ts'

type MemberEvent = Extract<EventType, `member.${string}` | `invitation.${string}`>

interface Words {
  subject: string
  paragraphs: readonly string[]
}

/** Of who belongs to an organization; what these events tell is in `packages/storage/organizations/tell.ts`. */
export function memberWords(type: MemberEvent, data: EventData): Words {
  const role = String(data['role'])
  const isService = data['kind'] === 'service'
  const who = isService ? 'A service account' : 'Somebody'
  const id = `Member: ${String(data['member_id'])}.`
  switch (type) {
    case 'member.joined':
      return {
        subject: isService ? 'A service account was made' : `Somebody joined as ${role}`,
        paragraphs: [
          isService
            ? `A service account was made in the organization. ${id}`
            : `Somebody joined the organization, ${ways[String(data['source'])] ?? ''}as ${role}. ${id}`,
        ],
      }
    case 'member.role_changed':
      return {
        subject: `A member is ${role} now`,
        paragraphs: [
          `The role of a member was changed from ${String(data['previous_role'])} to ${role}. ${id}`,
        ],
      }
    case 'member.left':
      return {
        subject: 'A member has left',
        paragraphs: [`A member with the role ${role} has left. ${id}`, keys(data)],
      }
    case 'member.removed':
      return {
        subject: 'A member was removed',
        paragraphs: [
          data['source'] === 'claims'
            ? `The identity provider gives a member no role here any more; it was ${role}. ${id}`
            : `${who} with the role ${role} was removed from the organization. ${id}`,
          keys(data),
        ],
      }
    case 'invitation.created':
      return {
        subject: `An invitation was made, as ${role}`,
        paragraphs: [
          `Somebody may join the organization as ${role} by a link that was made just now` +
            `${data['is_for_address'] === true ? ', for one address alone' : ''}. If it should not be, revoke it.`,
        ],
      }
    case 'invitation.revoked':
      return {
        subject: `An invitation as ${role} was withdrawn`,
        paragraphs: ['Nobody can join by its link any more.'],
      }
  }
}

const ways: Record<string, string> = {
  invitation: 'by an invitation, ',
  claims: 'by what the identity provider tells, ',
}

function keys(data: EventData): string {
  return data['keys'] === 'revoked'
    ? 'Their keys are revoked.'
    : 'Their keys are the organization’s now, and work on, also for whoever knows a secret: rotate them to end that.'
}
