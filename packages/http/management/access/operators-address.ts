import { operatorAddresses, type AccountStore, type OperatorAddresses } from '@turnpike/identity'

/** By which it is known who is an operator. */
export interface OperatorKnowledge {
  accounts: Pick<AccountStore, 'operatorEmails'>
  operatorAddresses?: OperatorAddresses
}

/** Whether an address is that of an operator, listed or marked, or could be taken for one. */
export async function isOperatorsAddress(
  address: string,
  { accounts, operatorAddresses: listed }: OperatorKnowledge,
): Promise<boolean> {
  if (listed?.mayInclude(address) === true) return true
  return operatorAddresses(await accounts.operatorEmails()).mayInclude(address)
}
