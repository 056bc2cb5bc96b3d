/** A response of this version; fields that earlier gateways leave out are optional. */
export type OrOlder<Answer, Newer extends keyof Answer> = Omit<Answer, Newer> & Partial<Pick<Answer, Newer>>
