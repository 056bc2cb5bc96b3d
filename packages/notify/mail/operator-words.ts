import type { EventData, operatorEventTypes } from '../events/event.ts'

type OperatorEvent = (typeof operatorEventTypes)[number]

/** Of what operators alone are told. */
export function operatorWords(
  type: OperatorEvent,
  data: EventData,
): { subject: string; paragraphs: readonly string[] } {
  const of = (name: string): string => `${data[name] as string | number}`
  switch (type) {
    case 'provider.key_refused':
      return {
        subject: `The provider "${of('provider')}" refuses a key of the gateway`,
        paragraphs: [
          `"${of('provider')}" answered that the key at place ${of('key')} of its list is not valid. ` +
            'Requests go to other keys and providers meanwhile, or fail.',
        ],
      }
    case 'ledger.difference':
      return {
        subject: 'The ledger does not add up',
        paragraphs: [
          `A verification found ${of('differences')} differences among ${of('checked')} things that it ` +
            `compared, ${of('new_differences')} of them for the first time.`,
        ],
      }
    case 'topup.paid_after_closing':
      return {
        subject: `A closed account was paid for: ${of('paid_usd')} USD`,
        paragraphs: [
          `The top-up ${of('session_id')} of the account ${of('closed_account_id')} was paid when that was ` +
            'closed already. Its credit waits there: pay the money back at the payment processor, and the ' +
            'books follow.',
        ],
      }
  }
}
