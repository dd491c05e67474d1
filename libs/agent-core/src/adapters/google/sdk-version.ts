/** The SDK's name and version. The package does not export it; a test holds it against what is installed. */
export const GOOGLE_SDK = '@google/genai 2.32.0';
