import { decodeAwsError } from '../../vendor-errors/aws-errors.ts'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, "Errors" */
export const decodeError = decodeAwsError
