// The badge's fixed words, shared by the maker and the verifier.
#pragma once

namespace ringlab::quiz::detail {

inline constexpr const char* kBadgeName = "RingLab: sequence parallelism and ring attention";
inline constexpr const char* kAchievementId = "urn:uuid:5f2f4c5e-6a0c-8b7e-9d41-72696e676c61";
inline constexpr const char* kAchievementName = "Sequence Parallelism and Ring Attention";
inline constexpr const char* kAchievementText =
    "Knows how exact attention over one long sequence is split over many GPUs: what is computed "
    "where, what is sent, what it costs, and what goes wrong.";
inline constexpr const char* kCriteriaId = "urn:uuid:0c6e7a52-43b8-8f10-a3d5-72696e676c61";
inline constexpr const char* kCriteriaText =
    "At least 80 % of 20 questions drawn from all lessons. The evidence holds bank, seed, answers "
    "and times: 'ringlab quiz verify' draws the questions again and grades them again.";
inline constexpr const char* kEvidenceName = "Quiz transcript";
inline constexpr const char* kDataHead = "data:application/json;base64,";

}  // namespace ringlab::quiz::detail
