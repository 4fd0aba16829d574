//! Effects of removing an account or changing its password, in Korean.

use crate::http::pages::texts::{PluralMessage, RemovalTexts};

pub(super) const KO: RemovalTexts = RemovalTexts {
    revoke_keys: "API 키도 모두 폐기",
    revoke_keys_hint: "키를 쓰는 프로그램은 새 키로 바꿀 때까지 작동하지 않아요. 다른 사람이 키를 모르는 것이 확실할 때만 유지하세요.",
    suspends: PluralMessage {
        one: "클라이언트 {}개가 정지돼요. 다른 사람에게 넘길 때까지 이 클라이언트로는 로그인할 수 없고 토큰도 발급되지 않아요.",
        other: "클라이언트 {}개가 정지돼요. 다른 사람에게 넘길 때까지 이 클라이언트로는 로그인할 수 없고 토큰도 발급되지 않아요.",
    },
    suspended: "정지됨",
    suspended_since: "정지된 시각:",
    suspended_lead: "소유자가 떠났어요. 관리자가 다른 사람에게 넘길 때까지 이 클라이언트로는 로그인할 수 없고 토큰도 발급되지 않아요.",
    reassigned: "서비스 자체의 클라이언트는 계속 작동해요. 이 사람이 시크릿을 알고 있다면 시크릿을 새로 만들어 주세요.",
    transfer_client: "다른 사람에게 넘기기",
    transfer_to_service: "서비스 자체에 넘기기",
    transfer_client_lead: "넘기면 받은 사람이 클라이언트를 관리하고, 정지된 클라이언트는 다시 쓸 수 있어요. 넘기기 전에 리디렉션 URI가 어디로 이어지는지 확인해 주세요. 이전 소유자가 알 수 있는 시크릿은 지워지니, 정지됐던 클라이언트에는 시크릿을 새로 만들어 주세요.",
    done_client_given: "클라이언트를 넘겼어요.",
};
