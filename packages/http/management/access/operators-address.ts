import { operatorAddresses, type AccountStore, type OperatorAddresses } from '@turnpike/identity'

/** How to recognise operators. */
export interface OperatorKnowledge {
  accounts: Pick<AccountStore, 'operatorEmails'>
  operatorAddresses?: OperatorAddresses
}

/** Whether an address belongs to a listed or marked operator, or could be mistaken for one's. */
export async function isOperatorsAddress(
  address: string,
  { accounts, operatorAddresses: listed }: OperatorKnowledge,
): Promise<boolean> {
  if (listed?.mayInclude(address) === true) return true
  return operatorAddresses(await accounts.operatorEmails()).mayInclude(address)
}
