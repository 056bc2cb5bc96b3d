/** `createKey` as `Create key`. The log has the action's name at the time. */
export function actionName(action: string): string {
  const words = action.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The suggested actions, the most frequent first; any other can be typed. */
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
