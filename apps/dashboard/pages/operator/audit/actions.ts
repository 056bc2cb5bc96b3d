/** `createKey` as `Create key`: what it was called when it was done. */
export function actionName(action: string): string {
  const words = action.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is offered to look for, the most asked for first; any other may be typed. */
export const commonActions = [
  'moveCredit',
  'updateAccount',
  'provisionAccount',
  'createKey',
  'updateKey',
  'revokeKey',
  'rotateKey',
  'transferCredit',
  'openTopup',
  'createInvite',
  'deleteInvite',
  'refreshPrices',
  'retrySetAsideRow',
  'discardSetAsideRow',
  'beginLedgerVerification',
  'rotateSigningKey',
  'updateMe',
]
